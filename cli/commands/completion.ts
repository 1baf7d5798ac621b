import type { Command } from 'commander'
import type { Shell } from './shells.ts'

/** What can follow the words of one command. */
interface Completions {
  /** The words, such as `import bugzilla`; empty for the program itself. */
  readonly path: string
  readonly words: readonly CompletedWord[]
}

interface CompletedWord {
  readonly word: string
  readonly about: string
  readonly isOption: boolean
  /** Whether another word belongs to the option. */
  readonly takesValue: boolean
}

/** The script for a shell, made from the commands: a new command or option is completed without another line. */
export function completionFor(shell: Shell, program: Command): string {
  const all = completionsOf(program)
  return SCRIPTS[shell](all)
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completions[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function completionsOf(command: Command, path: readonly string[] = []): Completions[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).map((it) => wordOf(it.name(), it.description()))
  const options = help
    .visibleOptions(command)
    .flatMap(({ short, long, description, required, optional }) =>
      [short, long].flatMap((word) =>
        word ? [{ ...wordOf(word, description), isOption: true, takesValue: required || optional }] : [],
      ),
    )
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const words = [...commands, ...choices.map((choice) => wordOf(choice, '')), ...options]
  const below = command.commands.flatMap((it) => completionsOf(it, [...path, it.name()]))
  return [{ path: path.join(' '), words }, ...below]
}

function wordOf(word: string, description: string): CompletedWord {
  const [about = ''] = description.split(/(?<=\.) /)
  return { word, about: about.replace(/\.$/, ''), isOption: false, takesValue: false }
}

/** In single quotes, for each of the shells. */
function quoted(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The options after which any word may come. */
function optionsWithValue(all: readonly Completions[]) {
  return [...new Set(all.flatMap(({ words }) => words.flatMap((it) => (it.takesValue ? it.word : []))))]
}

/** Each command as its words after the command above it: ` import`, `import bugzilla`. */
function steps(all: readonly Completions[]) {
  return all.filter(({ path }) => path !== '').map(({ path }) => (path.includes(' ') ? path : ` ${path}`))
}

/** For bash and zsh: finds the command in the words before the cursor. `place` is its path, and `skip` is set after an option with a value. */
function placeLoop(all: readonly Completions[], words: string) {
  return `  for word in ${words}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$place $word" in
      ${optionsWithValue(all)
        .map((option) => `*' ${option}'`)
        .join('|')}) skip=1 ;;
      ${steps(all).map(quoted).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`
}

function bashScript(all: readonly Completions[]): string {
  const cases = all.map(
    ({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`,
  )
  return `_lacewing() {
  local word place='' skip='' words='' current="\${COMP_WORDS[COMP_CWORD]}"
${placeLoop(all, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=()
  if [[ -n $skip ]]; then return; fi
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lacewing lacewing`
}

function zshScript(all: readonly Completions[]): string {
  const described = ({ word, about }: CompletedWord) => quoted(`${word}:${about}`)
  const cases = all.map(({ path, words }) => `    ${quoted(path)}) found=(${words.map(described).join(' ')}) ;;`)
  return `#compdef lacewing
_lacewing() {
  local word place='' skip=''
  local -a found
${placeLoop(all, `"\${(@)words[2,CURRENT-1]}"`)}
  if [[ -n $skip ]]; then _files; return; fi
  case "$place" in
${cases.join('\n')}
  esac
  _describe lacewing found || _files
}
compdef _lacewing lacewing`
}

function fishScript(all: readonly Completions[]): string {
  const lines = all.flatMap(({ path, words }) =>
    words.map((it) => `complete -c lacewing -n ${quoted(`__lacewing_at "${path}"`)} ${fishWord(it)}`),
  )
  return `function __lacewing_at
    set -l place ''
    set -l skip ''
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ''
            continue
        end
        switch "$place $word"
            case ${optionsWithValue(all)
              .map((option) => quoted(`* ${option}`))
              .join(' ')}
                set skip 1
            case ${steps(all).map(quoted).join(' ')}
                set place (string trim -- "$place $word")
        end
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}`
}

function fishWord({ word, about, isOption, takesValue }: CompletedWord) {
  const description = about === '' ? '' : ` -d ${quoted(about)}`
  if (!isOption) return `-f -a ${quoted(word)}${description}`
  const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`
  return `${name}${takesValue ? ' -r' : ''}${description}`
}
