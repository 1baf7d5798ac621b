import { readFileSync } from 'node:fs'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { canAsk, readStandardInput } from '../input/ask.ts'
import { editText, withExplanation, withoutExplanation } from '../input/editor.ts'
import { KeptText } from '../input/kept-text.ts'

export interface TextOptions {
  readonly message?: string
  readonly file?: string
}

export interface TypedText {
  readonly text: string
  /** The file that keeps it until the server has it. */
  readonly kept: KeptText
}

interface Wanted {
  /** A part of the name of the file. */
  readonly purpose: string
  readonly explanation: readonly string[]
}

/** A text from --message, from a file, from standard input, or else from the editor. */
export async function readTypedText(
  context: Context,
  { message, file }: TextOptions,
  wanted: Wanted,
): Promise<TypedText> {
  const given = await givenText({ message, file }, true)
  if (given !== undefined) return { text: given, kept: new KeptText(context, wanted.purpose, given) }
  const kept = new KeptText(context, wanted.purpose, withExplanation('', wanted.explanation))
  const text = withoutExplanation(await editText(context.environment, kept)).trim()
  if (text === '') {
    kept.remove()
    throw new CommandFailure('The text is empty. Nothing was sent.')
  }
  return { text, kept }
}

/** What the options name. `fromInput`: a text that is piped in is taken without being named. */
export async function givenText({ message, file }: TextOptions, fromInput: boolean): Promise<string | undefined> {
  if (message !== undefined) return message
  if (file !== undefined && file !== '-') return readTextFile(file)
  if (file === '-' || (fromInput && !canAsk())) return readStandardInput()
  return undefined
}

export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (fault) {
    throw new CommandFailure(`${file} cannot be read: ${(fault as Error).message}`)
  }
}
