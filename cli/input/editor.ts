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
  return (text.split(`\n${SCISSORS}`)[0] ?? '').replaceAll('\r\n', '\n').trimEnd()
}

/** Opens the editor with the file of the kept text, and returns what it is afterwards. */
export async function editText({ editor = 'vi' }: Environment, kept: KeptText): Promise<string> {
  if (!kept.isWritten) throw new CommandFailure(kept.whereItIs)
  // Ctrl+C belongs to the editor meanwhile.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    // The variable is a command line, such as `code --wait`. The file is an argument, which the shell does not read.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', kept.file], { stdio: 'inherit' })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code !== 0) throw new CommandFailure(`The editor (${editor}) ended with ${code}. ${kept.whereItIs}`)
    return readFileSync(kept.file, 'utf8')
  } finally {
    process.off('SIGINT', ignore)
  }
}
