import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { cleanLine } from '../text/clean-text.ts'
import type { KeptText } from './kept-text.ts'

/** Everything from this line on is not sent. Lines that begin with # are: they are headings of Markdown. */
const SCISSORS = '------------------------ >8 ------------------------'

/** What an editor opens: the text, and below a line what explains it. */
export function withExplanation(text: string, explanation: readonly string[]): string {
  const lines = ['Everything from the line above on is ignored.', ...explanation].map((line) =>
    // Some editors obey settings in the last lines of a file, which could come from a server.
    cleanLine(line).replaceAll(/\b(vim?|ex|emacs)(?=\s*:)/gi, '$1 '),
  )
  return `${text}\n${SCISSORS}\n${lines.join('\n')}\n`
}

export function withoutExplanation(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const end = lines.indexOf(SCISSORS)
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trimEnd()
}

/** Opens the editor with a text in the file of the kept text, and returns what is above the explanation afterwards. */
export async function editText(
  { editor = 'vi', forPrograms }: Environment,
  kept: KeptText,
  content: string,
): Promise<string> {
  kept.write(content)
  if (!kept.isWritten) throw new CommandFailure(kept.whereItIs)
  // Ctrl+C belongs to the editor meanwhile.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const code = await runEditor(editor, kept.file, forPrograms)
    const typed = readFileSync(kept.file, 'utf8')
    if (code === 0) {
      const text = withoutExplanation(typed)
      // What is sent again from the file is only what was typed.
      kept.write(text)
      return text
    }
    const why = `The editor (${editor}) ended with ${code}.`
    if (typed !== content) throw new CommandFailure(`${why} ${kept.whereItIs}`)
    kept.remove()
    throw new CommandFailure(why)
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** The variable is a command line, such as `code --wait`. The file is an argument, which the shell does not read. */
function runEditor(editor: string, file: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // Where standard output is a pipe, the terminal is that of standard error.
    const output = process.stdout.isTTY ? 'inherit' : 2
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: ['inherit', output, 'inherit'], env })
    child.once('error', reject)
    child.once('close', resolve)
  })
}
