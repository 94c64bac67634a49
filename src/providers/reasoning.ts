import type {LanguageModelV4CallOptions} from '@ai-sdk/provider'
import type {ReasoningSetting} from './provider-settings.js'

/** A level of the port. */
export type ReasoningLevel = NonNullable<LanguageModelV4CallOptions['reasoning']>

/** How a model is asked to think, as every wire can read it. */
export type ReasoningRequest =
  /** The provider's own default. */
  | {readonly kind: 'unset'}
  | {readonly kind: 'off'}
  /** The model decides how much. */
  | {readonly kind: 'auto'; readonly exclude: boolean}
  | {readonly kind: 'level'; readonly level: ReasoningLevel; readonly exclude: boolean}
  | {readonly kind: 'budget'; readonly tokens: number; readonly exclude: boolean}

const levels = {
  max: 'max',
  xhigh: 'xhigh',
  high: 'high',
  medium: 'medium',
  low: 'low',
  xlow: 'minimal',
} as const satisfies Record<string, ReasoningLevel>

/** Reads `assistant.model.parameters.reasoning`. */
export const reasoningRequest = (setting: ReasoningSetting | undefined): ReasoningRequest => {
  if (setting === undefined) return {kind: 'unset'}
  if (setting === 'off') return {kind: 'off'}
  if (setting === 'auto') return {kind: 'auto', exclude: false}
  const exclude = setting.exclude === true
  const {effort = 'auto'} = setting
  if (effort === 'none' || effort === 0) return {kind: 'off'}
  if (effort === 'auto') return {kind: 'auto', exclude}
  if (typeof effort === 'number') return {kind: 'budget', tokens: effort, exclude}
  return {kind: 'level', level: levels[effort], exclude}
}

/** The level for wires that know no budgets. */
export const levelOf = (request: ReasoningRequest): ReasoningLevel | undefined => {
  if (request.kind === 'off') return 'none'
  if (request.kind === 'level') return request.level
  if (request.kind !== 'budget') return undefined
  if (request.tokens <= 2048) return 'low'
  return request.tokens <= 16_384 ? 'medium' : 'high'
}

/** True when the model thinks, and its thoughts are wanted. */
export const wantsThoughts = (request: ReasoningRequest): boolean =>
  request.kind !== 'unset' && request.kind !== 'off' && !request.exclude
