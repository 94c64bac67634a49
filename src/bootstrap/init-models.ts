import {resolveConfiguration} from '../config/pipeline.js'
import type {Configuration} from '../config/schema.js'
import {JpError} from '../errors/jp-error.js'
import {findProviders, listModels} from '../providers/detect.js'
import {knownProviders} from '../providers/known-providers.js'
import {resolveModelId} from '../providers/model-id.js'
import type {ProviderDeps} from '../providers/provider-settings.js'
import {tryModel} from '../providers/try-model.js'
import type {ModelCandidate} from './init-answers.js'
import type {Launch} from './launch.js'

/** How many models of one server on this machine are offered. */
const offeredPerServer = 4

/** How long the test call may take. Unit: milliseconds. */
const testCallMs = 30_000

/**
 * The models that can be used here (Q5): one of each provider whose key is in the environment, and those of servers that
 * answer on this machine. Nothing is sent to anyone else.
 */
export const modelCandidates = async (launch: Launch): Promise<readonly ModelCandidate[]> => {
  const {llm, deps} = await providersAt(launch, launch.environment.cwd)
  const {aliases: _, ...entries} = llm
  const found = await findProviders(entries, deps)
  const offers = found.map(async ({provider, title, reason}): Promise<ModelCandidate[]> => {
    if ('variable' in reason) {
      const model = knownProviders[provider]?.suggestedModel
      return model === undefined ? [] : [{model: `${provider}/${model}`, because: `${reason.variable} is set`}]
    }
    const models = await listModels(provider, entries[provider] ?? {}, deps)
    return models
      .slice(0, offeredPerServer)
      .map((model) => ({model: `${provider}/${model}`, because: `${title} runs here`}))
  })
  return (await Promise.all(offers)).flat()
}

/**
 * Makes one small call to the chosen model, in the new workspace, and says how it went (Q5). A failure is a warning with
 * its hint: the workspace stands.
 */
export const makeTestCall = async (launch: Launch, root: string, model: string): Promise<void> => {
  const {output} = launch
  output.note(`Asking ${model} once …`)
  try {
    const {llm, deps} = await providersAt(launch, root)
    const {aliases, ...providers} = llm
    const id = resolveModelId(model, {aliases, providers})
    await tryModel(id, {providers}, {...deps, signal: AbortSignal.timeout(testCallMs)})
    output.note(`${model} answers.`)
  } catch (error) {
    output.warn(`${model} does not answer yet. ${complaint(error)}`)
  }
}

const complaint = (error: unknown): string => {
  if (error instanceof JpError) return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  return `It said nothing for ${testCallMs / 1000} s.`
}

const providersAt = async (
  {environment, directories}: Launch,
  configCwd: string,
): Promise<{llm: Configuration['providers']['llm']; deps: ProviderDeps}> => {
  const place = {directories, configCwd, env: environment.env}
  const {config} = await resolveConfiguration(place, {launchCwd: environment.cwd})
  return {llm: config.providers.llm, deps: {environment, configCwd}}
}
