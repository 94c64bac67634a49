import {type Field, readOutline} from './outline.js'
import {outlineOf} from './schema/outline-of.js'
import {configurationSchema} from './schema.js'

/** The schema as plain data. The build puts the data itself in place of this module (docs/decisions/0010). */
export const outline = outlineOf(configurationSchema)

/** The root of the configuration's schema, as layers are read against it. */
export const schema: Field = readOutline(outline)
