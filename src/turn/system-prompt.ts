import type {Configuration} from '../config/schema.js'

type Assistant = Pick<Configuration['assistant'], 'name' | 'system_prompt' | 'system_prompt_sections' | 'instructions'>

/** The system prompt of an assistant: its text, its sections, its instructions, each kind in the order of `position`. */
export const systemPrompt = (assistant: Assistant): string => {
  const name = assistant.name === undefined ? [] : [`Your name is ${assistant.name}.`]
  const sections = byPosition(assistant.system_prompt_sections).map(sectionText)
  const instructions = byPosition(assistant.instructions).map(instructionText)
  return [...name, assistant.system_prompt, ...sections, ...instructions]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

const byPosition = <Item extends {readonly position?: number | undefined}>(items: readonly Item[]): Item[] =>
  items.toSorted((left, right) => (left.position ?? 0) - (right.position ?? 0))

type Section = Assistant['system_prompt_sections'][number]

const sectionText = ({content, tag, title}: Section): string => {
  const titled = title === undefined ? content : `# ${title}\n\n${content}`
  return tag === undefined ? titled : `<${tag}>\n${titled}\n</${tag}>`
}

type Instruction = Assistant['instructions'][number]

const instructionText = ({title, description, items, examples}: Instruction): string =>
  [
    title === undefined ? undefined : `# ${title}`,
    description,
    (items ?? []).map((item) => `- ${item}`).join('\n'),
    (examples ?? []).map(exampleText).join('\n\n'),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')

const exampleText = (example: NonNullable<Instruction['examples']>[number]): string => {
  if (typeof example === 'string') return `Example: ${example}`
  const reason = example.reason === undefined ? '' : `\nWhy: ${example.reason}`
  return `Good: ${example.good}\nBad: ${example.bad}${reason}`
}
