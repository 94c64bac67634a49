import {JpError} from '../../errors/jp-error.js'

/** The shells that there is a completion script for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

const bash = `# jp completion for bash: eval "$(jp completion bash)"
COMP_WORDBREAKS=\${COMP_WORDBREAKS//[=:@]/}
_jp() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <(jp __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 1 ]; then COMPREPLY[0]=$(printf '%q' "\${COMPREPLY[0]}"); fi
}
complete -o default -F _jp jp
`

const zsh = `#compdef jp
# jp completion for zsh: eval "$(jp completion zsh)"
_jp() {
  local -a found
  local value text
  while IFS=$'\\t' read -r value text; do
    found+=("\${value//:/\\\\:}:\${text}")
  done < <(jp __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -V jp found; else _files; fi
}
compdef _jp jp
`

const fish = `# jp completion for fish: jp completion fish | source
function __jp_complete
    set -l words (commandline -opc) (commandline -ct)
    jp __complete $words[2..-1] 2>/dev/null
end
complete -c jp -f -a '(__jp_complete)'
`

const powershell = `# jp completion for PowerShell: jp completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName jp -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  jp __complete @words 2>$null | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`

/**
 * The script that makes a shell ask jp.
 * @throws JpError `usage` for an unknown shell.
 */
export const completionScript = (shell: string): string => {
  const scripts: Readonly<Record<Shell, string>> = {bash, zsh, fish, powershell}
  const known = shells.find((candidate) => candidate === shell)
  if (known !== undefined) return scripts[known]
  throw new JpError('usage', `jp has no completion for "${shell}".`, {hint: `It has one for ${shells.join(', ')}.`})
}
