import type {JSONSchema7} from 'json-schema'

/** JSON Schema, as tools and structured answers use it and as the models are told. */
export type JsonSchema = JSONSchema7
