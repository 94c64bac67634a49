import {catalogue, type ErrorKind} from '../errors/catalogue.js'
import {exitCodeFor} from './exit-codes.js'

/** A page of `jp help <topic>`. */
export type HelpTopic = {
  readonly name: string
  readonly summary: string
  text(): string
}

/** Every variable that jp reads, with what it does. A test holds the list against the source. */
export const environmentVariables: readonly (readonly [name: string, text: string])[] = [
  ['JP_SESSION', 'Names the session: what belongs to one terminal tab. Set it in scripts that want one of their own.'],
  ['JP_NON_INTERACTIVE', '1: ask nothing, even on a terminal (as --non-interactive).'],
  ['JP_USER_DATA_DIR', 'The folder of user-local data, used as it is. Default: the XDG data folder, then jp.'],
  ['JP_GLOBAL_CONFIG_DIR', 'The folder of the user-global configuration.'],
  ['JP_CFG_*', 'Sets configuration: JP_CFG_ASSISTANT_NAME is assistant.name.'],
  ['JP_ECHO_SCRIPT', 'A file of steps that the provider echo plays.'],
  ['JP_EDITOR', 'The editor for messages, before VISUAL and EDITOR.'],
  ['JP_LOCK_DURATION', 'How long to wait for a conversation that is in use, in seconds or as 90s, 2m.'],
  ['JP_TRUST_WORKSPACE', '1: trust the checkout for this run (CI).'],
  ['JP_PLUGIN_REGISTRY_URL', 'Where the official plugin registry is.'],
  ['JP_NO_PLUGIN_DOWNLOAD', '1: never fetch a plugin or the registry.'],
  ['JP_NPM_REGISTRY', 'The npm registry that plugin packages come from; npm’s own settings without it.'],
  ['JP_SERVER_TOKEN, QWEN_SERVER_TOKEN', 'The token of "jp serve".'],
  ['XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME', 'Where the folders of jp lie.'],
  ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'Whether there are colours.'],
  [
    'HTTP_PROXY, HTTPS_PROXY, NO_PROXY',
    'Proxies for providers. Addresses of this machine are always reached directly.',
  ],
]

const kindTexts: Readonly<Record<ErrorKind, string>> = {
  failed: 'any other error, malformed configuration among them; "grep" without a hit',
  usage: 'usage: a flag, an argument or a target that can not be understood or only a question could settle',
  not_found: 'not found: a workspace, conversation or file',
  conflict: 'conflict: locked, changed meanwhile, or already there',
  denied: 'denied: admission, permission or trust',
  unavailable: 'unavailable: network or provider',
  broken_peer: 'a plugin or server misbehaved',
  corrupt: 'corrupt data',
  interrupted: 'interrupted',
}

const exitCodesText = (): string => {
  const rows = new Map<number, string>([[0, 'ok']])
  for (const [code, kind] of Object.entries(catalogue))
    rows.set(exitCodeFor(code as keyof typeof catalogue), kindTexts[kind])
  rows.set(131, 'SIGQUIT')
  const lines = [...rows]
    .sort(([left], [right]) => left - right)
    .map(([code, text]) => `  ${String(code).padStart(3)}  ${text}`)
  return `Exit codes of jp\n\n${lines.join('\n')}\n\nA command that a plugin provides ends with the plugin's own code.`
}

const environmentText = (): string =>
  `Environment variables that jp reads\n\n${environmentVariables.map(([name, text]) => `  ${name}\n      ${text}`).join('\n')}`

const targetsText = (): string => `How to name a workspace: -w TARGET, --workspace TARGET, "jp w use TARGET"

  a path            the workspace that this folder lies in; relative to where you are
  an id             five characters, as "jp w ls" shows them
  ID@FOLDER         the checkout of that workspace whose folder has this name
  NAME@FOLDER       the same by the workspace's name
  NAME              a name that only one workspace has
  r, recent         the checkout that was used last
  ., cwd            the workspace of the folder you are in
  -                 read the target from the first line of stdin
  help              this page

On a terminal also:

  any other text    search names, ids and paths; several hits open a picker
  ?                 pick from all workspaces
  ?s, ?session      pick from those that this session selected before
  s, session        the one this session selected before

A path that exists wins over an id. Without -w: a sticky selection of this session ("jp w use X --always"), then the
folder you are in, then the selection of this session. Without a terminal: the folder you are in, and nothing else.

How to name a conversation: --id TARGET, and the argument of most "jp c" commands

  jp-c…             its id; the beginning is enough where only one has it
  ., active         the active one of this session
  s, session        the one before it
  r, recent         the one that was used last
  n, newest         the one that was started last
  p, pinned         the one that was pinned last
  a, archived       the one that was archived last
  ?, ?p, ?s, ?a     pick from all, the pinned, the session's, the archived (terminal)
  +l, +s, +p, +a    all live ones, the session's, the pinned, the archived
  -                 read ids from stdin, one a line`

const configurationText = (): string => `Where configuration comes from, weakest first

  1  built-in defaults                          jp config show --defaults
  2  user-global file                           jp config set --user-global KEY=VALUE
  3  the workspace's .jp/config.toml            jp config set KEY=VALUE
  4  .jp.toml files from the root to the cwd
  5  user-workspace file, on this machine only  jp config set --user-workspace KEY=VALUE
  6  environment: JP_CFG_ASSISTANT_NAME=…
  7  what the conversation was started with
  8  --cfg on the command line, left to right

Files may be TOML, JSON, JSON5 or YAML. "jp config show --explain" says where each value comes from and what was left
out and why.

--cfg takes
  a.b=text          set           a.b:=[1, 2]       set JSON
  a.b+=text         add           a.b:+=[1, 2]      add JSON
  name              a file of the load paths        @file, {"a": 1}   a file, a JSON object

What travels with a checkout and would run something (tools, MCP servers, editor commands) counts only once you trust
the checkout: "jp w trust" shows it and records your answer.`

const pluginsText = (): string => `Plugins add commands to jp

A plugin is a program that speaks JSON lines on stdin and stdout: an executable jp-NAME on $PATH, or a package. It states
its command, its protocol and its scope in a manifest that is read without running it:

  # jp-plugin/v1 {"protocol":1,"description":"Count notes","command":["notes","count"]}

Nothing of it runs before you approve it. On a terminal jp asks; in a script: jp plugins approve NAME
  jp plugins list           what there is, and what is approved
  jp plugins install SPEC   install a package: a name, a tarball, a folder, a git URL
  jp plugins update         get newer versions, after a look at what is new
  jp plugins new NAME       begin one of your own
  jp plugins revoke NAME    take an approval back
  jp plugins pin NAME       accept these bytes only

A plugin with "workspace_scope": "single" (the default) is handed the workspace that jp chose; one with "multi" is handed
none, lists them with list_workspaces, and names one checkout in every request.`

const protocolText = (): string => `The plugin protocol

One JSON object a line, UTF-8. jp sends init; the plugin answers ready, sends requests, and ends with exit. A request may
carry an id, which its answer repeats. A line that is no message ends the plugin: logs belong on stderr.

  H> {"type":"init","version":12,"workspace":{"root":"/src/app","storage":"/src/app/.jp","id":"a1b2c"},"args":[]}
  P> {"type":"ready","protocol":1}
  P> {"type":"list_conversations","id":"1"}
  H> {"type":"conversations","id":"1","data":[…]}
  P> {"type":"print","text":"3 conversations\\n"}
  P> {"type":"exit","code":0}

Every message with its fields: docs/reference/plugin-protocol.md.`

/** The pages, in the order that help lists them. */
export const helpTopics: readonly HelpTopic[] = [
  {name: 'targets', summary: 'How to name a workspace or a conversation', text: targetsText},
  {name: 'configuration', summary: 'Where settings come from and what --cfg takes', text: configurationText},
  {name: 'environment', summary: 'Environment variables', text: environmentText},
  {name: 'exit-codes', summary: 'Exit codes', text: exitCodesText},
  {name: 'plugins', summary: 'What plugins are and how they are approved', text: pluginsText},
  {name: 'protocol', summary: 'The messages between jp and a plugin', text: protocolText},
]
