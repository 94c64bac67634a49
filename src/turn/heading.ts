/** The words of the Markdown heading that a message begins with, as its conversation's title (W28); else undefined. */
export const headingOf = (message: string): string | undefined => {
  const heading = /^\s*#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(message)?.[1]?.trim()
  return heading === '' ? undefined : heading
}
