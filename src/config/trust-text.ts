import type {AskedSetting, TrustReport} from './trust-checkout.js'

/**
 * What a checkout asks for, in words, by file: every value whole and as it stands, for it is what will run. The texts are a
 * stranger's; whoever shows them spells out what would hide in a terminal (W31).
 * @param which `new`: only what trust does not cover yet, with what it replaces; `all`: everything.
 */
export const describeAsked = (report: TrustReport, which: 'new' | 'all'): string => {
  const asked = report.settings.filter(({isTrusted}) => which === 'all' || !isTrusted)
  const files = [...new Set(asked.map(({file}) => file))]
  const before = new Map(report.gone.map(({path, value}) => [path, value]))
  const lines = files.flatMap((file) => [
    `${file}:`,
    ...asked.filter((setting) => setting.file === file).flatMap((setting) => linesOf(setting, before)),
  ])
  const replaced = new Set(asked.map(({path}) => path))
  const gone = report.gone.filter(({path}) => !replaced.has(path))
  return [
    report.trust.record === undefined || which === 'all'
      ? `${report.root} asks for what takes effect only in a checkout that you trust:`
      : `${report.root} asks for more than you trusted:`,
    ...lines,
    ...(gone.length === 0 ? [] : [`No longer asked for: ${gone.map(({path}) => path).join(', ')}`]),
  ].join('\n')
}

const linesOf = (setting: AskedSetting, before: ReadonlyMap<string, unknown>): string[] => {
  const old = before.get(setting.path)
  return [
    `  ${setting.path} (${setting.about})`,
    ...(old === undefined || setting.isTrusted ? [] : [`    - ${JSON.stringify(old)}`]),
    `    ${old === undefined || setting.isTrusted ? '' : '+ '}${JSON.stringify(setting.value)}`,
  ]
}
