import type {InitAnswers} from './init-answers.js'

/** The commented `.jp/config.toml` of a new workspace. */
export const initialConfig = ({model, runTools, local}: InitAnswers): string => `\
# The configuration of this workspace. It travels with the project.
# What applies, and where it comes from: jp config show --explain

# The model that answers.
${modelTable(model)}

[conversation]
# false: new conversations are also written to .jp/conversations, so that they can be committed with the project.
# true: they stay on the machine of whoever had them.
start_local = ${local}

# What happens when the model wants to run a tool: "ask", "unattended" or "deny". A tool's own table may say otherwise.
[conversation.tools.'*']
run = ${quoted(runTools)}
`

const modelTable = (model: string | undefined): string => {
  if (model === undefined) {
    return '# [assistant.model.id]\n# provider = "anthropic"\n# name = "claude-sonnet-5"'
  }
  const slash = model.indexOf('/')
  return `[assistant.model.id]\nprovider = ${quoted(model.slice(0, slash))}\nname = ${quoted(model.slice(slash + 1))}`
}

/** A TOML basic string: JSON's escapes are a part of TOML's, but for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')
