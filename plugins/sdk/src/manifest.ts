/** What a plugin states about itself. */
export type ManifestFields = {
  readonly protocol: number
  readonly description: string
  /** The command that it adds: its words behind `jp`. */
  readonly command: readonly string[]
  readonly workspace_scope?: 'single' | 'multi'
}

/** The manifest as the line of a script: put it behind a comment sign. It is on one line, whatever the texts hold. */
export const manifestLine = (fields: ManifestFields): string => `jp-plugin/v1 ${JSON.stringify(fields)}`

/** The manifest as `package.json` holds it, under `oclif`. Without `entry` jp hosts the oclif commands of the package. */
export const packageManifest = (fields: ManifestFields, entry?: string) => ({
  oclif: {jp: {...fields, ...(entry === undefined ? {} : {entry})}},
})
