import {JpError} from '../../errors/jp-error.js'
import type {Prompter} from '../../platform/prompter.js'
import {evaluate, renderTemplate, templateParts} from '../../turn/tools/template.js'

/** What a template is filled in from. */
export type TemplateScene = {
  /** `template.values` of the configuration. */
  readonly values: Readonly<Record<string, unknown>>
  /** Undefined where nobody can be asked for what is missing. */
  readonly prompter: Prompter | undefined
}

/**
 * Fills a message in (`--template`): `{{name}}` is `template.values.name`; what has no value is asked for, once each.
 * @throws JpError `answer_required` for a value that is missing where nobody can be asked, `config_invalid` for what is no
 * template.
 */
export const renderMessage = async (template: string, {values, prompter}: TemplateScene): Promise<string> => {
  const filled: Record<string, unknown> = {...values}
  for (const part of templateParts(template)) {
    if ('text' in part || hasDefault(part.expression)) continue
    const name = part.expression.split('|')[0]?.trim() ?? ''
    if (evaluate(name, filled) !== undefined) continue
    // Only a value of its own can be asked for, not a part of one.
    if (prompter === undefined || !/^[\p{L}\p{N}_-]+$/u.test(name)) throw missing(name)
    filled[name] = await prompter.input({message: `${name}:`})
  }
  return renderTemplate(template, filled)
}

const hasDefault = (expression: string): boolean => /\|\s*default\s*\(/.test(expression)

const missing = (name: string): JpError =>
  new JpError('answer_required', `The template needs a value for ${name}.`, {
    hint: `Give it one: -c template.values.${name}=…`,
  })
