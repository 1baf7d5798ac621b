import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Refusal } from '../platform/refusal.ts'

/** The first line of standard input, not an argument: other users of the machine can see those. A terminal does not show it. */
export async function readPassword(question: string, howToGiveIt: string): Promise<string> {
  const { stdin } = process
  const isTerminal = stdin.isTTY === true
  // readline shows what is typed by writing it to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isTerminal })
  // The terminal shows nothing from here on.
  if (isTerminal) process.stderr.write(question)
  const line = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  if (isTerminal) process.stderr.write('\n')
  if (line === undefined || line.trim() === '') throw new Refusal(`There is no password: ${howToGiveIt}.`)
  return line
}
