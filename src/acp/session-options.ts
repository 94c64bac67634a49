import type {SessionConfigOption} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'
import type {Models} from './models.js'
import {findMode, type ModeId, modes} from './modes.js'

/** What a user may choose for a session. */
export type SessionChoices = {readonly mode: ModeId; readonly models: Models}

/** The choices as the protocol's configuration options. Without any model in the configuration there is none to choose. */
export const sessionOptions = ({mode, models}: SessionChoices): SessionConfigOption[] => {
  const modeOption: SessionConfigOption = {
    id: 'mode',
    name: 'Permissions',
    category: 'mode',
    type: 'select',
    currentValue: mode,
    options: modes.map(({id, name, description}) => ({value: id, name, description})),
  }
  if (models.choices.length === 0) return [modeOption]
  const none = models.current === undefined ? [{value: '', name: 'No model configured'}] : []
  return [
    modeOption,
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: models.current ?? '',
      options: [...none, ...models.choices.map(({id, name}) => ({value: id, name}))],
    },
  ]
}

/**
 * The mode that a client names.
 * @throws JpError `request_invalid`.
 */
export const modeNamed = (id: string): ModeId => {
  const mode = findMode(id)
  if (mode !== undefined) return mode
  throw new JpError('request_invalid', `There is no mode ${JSON.stringify(id)}.`, {
    hint: `The modes are ${modes.map((known) => known.id).join(', ')}.`,
  })
}

/**
 * The model that a client names: one of the configuration's.
 * @throws JpError `request_invalid`.
 */
export const modelNamed = (id: string, models: Models): string => {
  const choice = models.choices.find((known) => known.id === id || known.name === id)
  if (choice !== undefined) return choice.id
  throw new JpError('request_invalid', `The configuration names no model ${JSON.stringify(id)}.`, {
    hint: `Give it an alias: jp config set providers.llm.aliases.NAME=${id === '' ? 'PROVIDER/NAME' : id}`,
  })
}
