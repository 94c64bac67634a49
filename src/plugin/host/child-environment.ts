type Env = Readonly<Record<string, string | undefined>>

/** What would change how a child runs, and comes from whatever jp was started by (P20). */
const dropped = /^(?:NODE_OPTIONS|NODE_PATH|npm_.*|OCLIF_.*|LD_PRELOAD|DYLD_.*|JP_LAUNCHER_PID|OLDPWD)$/i

/**
 * The environment of a plugin: ours without what would load code into it, with `JP_PLUGIN_PATH` (P20, P30).
 * `PWD` says where the child really is: a shell would otherwise learn of another folder (S9).
 */
export const childEnvironment = (env: Env, child: {readonly cwd: string; readonly originalPath: string}): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.test(name))),
  PWD: child.cwd,
  JP_PLUGIN_PATH: child.originalPath,
})
