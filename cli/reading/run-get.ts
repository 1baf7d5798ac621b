import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { cleanLine } from '../text/clean-text.ts'
import { shownValue } from './shown-value.ts'

export interface GetOptions {
  readonly output?: string
  readonly force?: boolean
}

export async function runGet(id: string, options: GetOptions, { output, connect }: Context) {
  if (!/^\d{1,15}$/.test(id)) throw wrongCommandLine(`${id} is not the number of an attachment.`)
  const isStandardOutput = options.output === '-'
  if (isStandardOutput && output.isTerminal)
    throw wrongCommandLine('An attachment is not written to a terminal: name a file, or redirect the output.')
  if (isStandardOutput && output.isJson) throw wrongCommandLine('--json and --output - exclude each other.')
  const { client } = connect()
  const { attachments } = await client.get('/bug/attachment/:attachment_id', { attachment_id: id })
  const attachment = new Map(Object.entries(attachments)).get(id)
  if (attachment === undefined) throw new CommandFailure(`There is no attachment ${id}.`, EXIT.notFound)
  const bytes = Buffer.from(shownValue(attachment.data), 'base64')
  if (isStandardOutput) return output.write(bytes)
  const file = options.output ?? safeFileName(shownValue(attachment.file_name), id)
  await writeAttachment(file, bytes, options.force === true)
  const document = { id: Number(id), bug_id: attachment.bug_id, file, size: bytes.length }
  await output.confirm(document, [`${file}: ${bytes.length} bytes, from bug ${shownValue(attachment.bug_id)}.`])
}

/** A name in this folder: the server must not choose another one, hide the file, or make an option of its name. */
export function safeFileName(name: string, id: string): string {
  const own = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/]/gu, '_')
    .replace(/^[.\-\s]+/, '')
    .trim()
  return cleanLine(Array.from(own).slice(0, 60).join('')) || `attachment-${id}`
}

async function writeAttachment(file: string, bytes: Uint8Array, isReplaced: boolean) {
  const stream = createWriteStream(file, { flags: isReplaced ? 'w' : 'wx', mode: 0o666 })
  try {
    stream.end(bytes)
    await finished(stream)
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandFailure(`${file} exists: name another file with --output, or add --force to overwrite it.`)
    throw new CommandFailure(`${file} cannot be written: ${message}`)
  }
}
