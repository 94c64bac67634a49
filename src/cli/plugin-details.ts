import type {InspectedPlugin} from '../plugin/list-plugins.js'

/** What `jp plugins inspect` tells people of a plugin: labels and texts. */
export const pluginDetails = (
  plugin: InspectedPlugin,
  {paths}: {readonly paths: boolean},
): (readonly [label: string, text: string])[] => [
  ['Name', plugin.name],
  ['Command', plugin.command === null ? '' : `jp ${plugin.command.join(' ')}`],
  ['About', plugin.description ?? ''],
  ['Scope', plugin.scope ?? ''],
  ['Protocol', plugin.protocol === null ? '' : String(plugin.protocol)],
  ['Path', plugin.path],
  ...ofPackage(plugin, paths),
  ['sha256', plugin.sha256 ?? (plugin.approval === 'dev' ? 'a linked folder has none' : 'unreadable')],
  ['Approval', plugin.approval],
  ...(plugin.problem === null ? [] : ([['Problem', plugin.problem]] as const)),
]

const ofPackage = (plugin: InspectedPlugin, paths: boolean): (readonly [label: string, text: string])[] => {
  if (plugin.package === null) return []
  const dependencies = Object.entries(plugin.deps ?? {}).map(
    ([name, {from, version, path}]) => `${name} ${from} => ${version}${paths ? ` ${path}` : ''}`,
  )
  return [
    ['Package', `${plugin.package} ${plugin.version}`],
    ...(plugin.hosted === null ? [] : ([['Runs', plugin.hosted === 'entry' ? 'its entry' : 'hosted by jp']] as const)),
    ...(plugin.integrity === null ? [] : ([['Integrity', plugin.integrity]] as const)),
    ...(dependencies.length === 0 ? [] : ([['Depends on', dependencies.join('\n')]] as const)),
  ]
}
