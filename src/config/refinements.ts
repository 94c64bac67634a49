type Refine = {readonly holds: (table: Readonly<Record<string, unknown>>) => boolean; readonly error: string}

/** What must hold between the keys of a table, by name, and what is said when it does not. */
export const refinements = {
  mcpServer: {
    holds: (server) => (server['type'] === 'stdio' ? server['command'] : server['url']) !== undefined,
    error: 'a stdio server needs `command`, an http server needs `url`',
  },
} satisfies Record<string, Refine>

/** The name of one of the {@link refinements}. */
export type Refinement = keyof typeof refinements
