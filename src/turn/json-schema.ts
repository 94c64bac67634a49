/** The part of JSON Schema that tools and structured answers use. Other keywords pass through to the model. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly [keyword: string]: unknown
}
