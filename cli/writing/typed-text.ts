import { readFileSync } from 'node:fs'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { canAsk, readStandardInput } from '../input/ask.ts'
import { editText, withExplanation } from '../input/editor.ts'
import { KeptText } from '../input/kept-text.ts'

export interface TextOptions {
  readonly message?: string
  readonly file?: string
}

export interface TypedText {
  readonly text: string
  /** The file that keeps it until the server has it; undefined if it is in a file of the user. */
  readonly kept: KeptText | undefined
}

export interface Wanted {
  /** A part of the name of the file. */
  readonly purpose: string
  /** A command that sends the file; `FILE` stands for it. */
  readonly again?: string
}

/** What the options name, and a file that keeps it. */
export async function givenText(
  context: Context,
  options: TextOptions,
  wanted: Wanted,
  fromInput: boolean,
): Promise<TypedText | undefined> {
  const text = await readGivenText(options, fromInput)
  if (text === undefined) return undefined
  return { text, kept: isInFile(options) ? undefined : new KeptText(context, wanted, text) }
}

/** `fromInput`: a text that is piped in is taken without being named. */
export async function readGivenText(options: TextOptions, fromInput: boolean): Promise<string | undefined> {
  const { message, file } = options
  if (message !== undefined) return message
  if (isInFile(options) && file !== undefined) return readTextFile(file)
  return file === '-' || (fromInput && !canAsk()) ? readStandardInput() : undefined
}

function isInFile({ message, file }: TextOptions) {
  return message === undefined && file !== undefined && file !== '-'
}

/** A text from the editor. */
export async function editedText(context: Context, wanted: Wanted, explanation: readonly string[]): Promise<TypedText> {
  const kept = new KeptText(context, wanted, '')
  const text = (await editText(context.environment, kept, withExplanation('', explanation))).trim()
  requireText({ text, kept })
  return { text, kept }
}

export function requireText({ text, kept }: TypedText) {
  if (text.trim() !== '') return
  kept?.remove()
  throw new CommandFailure('The text is empty. Nothing was sent.')
}

export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (fault) {
    throw new CommandFailure(`${file} cannot be read: ${(fault as Error).message}`)
  }
}
