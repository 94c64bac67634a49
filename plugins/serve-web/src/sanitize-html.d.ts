/** What is used of sanitize-html, which brings no types. */
declare module 'sanitize-html' {
  type Options = {
    readonly allowedTags: readonly string[]
    readonly allowedAttributes: Readonly<Record<string, readonly string[]>>
    readonly allowedClasses: Readonly<Record<string, readonly string[]>>
    readonly allowedSchemes: readonly string[]
    readonly allowProtocolRelative: boolean
    readonly transformTags: Readonly<Record<string, Transformer>>
  }
  type Transformer = (tag: string, attributes: Readonly<Record<string, string>>) => unknown
  type Sanitize = {
    (html: string, options: Options): string
    simpleTransform(tag: string, attributes: Readonly<Record<string, string>>): Transformer
  }
  const sanitize: Sanitize
  export default sanitize
}
