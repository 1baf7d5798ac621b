import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { wrongCommandLine } from '../context.ts'
import { isDumb } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { cleanLine } from '../text/clean-text.ts'

/** Whether somebody can answer a question. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks at the terminal, on standard error, and returns the line. A hidden answer is not shown while it is typed. */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
  if (!canAsk()) throw wrongCommandLine(`There is no terminal to ask: ${question.replace(/:? *$/, '')}.`)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = isHidden || !isDumb()
  const lines = createInterface({ input: process.stdin, output: isHidden ? nowhere : process.stderr, terminal })
  const interrupt = () => lines.emit('SIGINT')
  if (!terminal) process.once('SIGINT', interrupt)
  // From here on the terminal itself shows nothing of what is typed.
  if (isHidden) process.stderr.write(cleanLine(question))
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new CommandFailure('Interrupted.', EXIT.interrupted)))
      lines.once('close', () => reject(new CommandFailure('There was no answer.', EXIT.interrupted)))
      if (isHidden) lines.once('line', resolve)
      else lines.question(cleanLine(question), resolve)
    })
  } finally {
    process.off('SIGINT', interrupt)
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}

export async function askYesOrNo(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim())
}

/** Of what is attached, which is sent as text. */
export const LARGEST_INPUT = 256 * 1024 * 1024

/** All of standard input, as text. */
export async function readStandardInput(): Promise<string> {
  return (await readStandardInputBytes()).toString('utf8')
}

export async function readStandardInputBytes(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > LARGEST_INPUT) throw new CommandFailure('Standard input is larger than 256 MiB.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
