import { randomUUID } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { StrangeAnswer } from '../failures/strange-answer.ts'
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
  if (typeof attachments !== 'object') throw new StrangeAnswer('attachments is not an object')
  const attachment = new Map(Object.entries(attachments)).get(id)
  if (attachment === undefined) throw new CommandFailure(`There is no attachment ${id}.`, EXIT.notFound)
  if (typeof attachment.data !== 'string') throw new StrangeAnswer('the attachment has no data')
  const bytes = Buffer.from(attachment.data, 'base64')
  if (isStandardOutput) return output.write(bytes)
  const file = options.output ?? safeFileName(shownValue(attachment.file_name), id)
  await writeAttachment(file, bytes, options)
  const document = { id: Number(id), bug_id: attachment.bug_id, file, size: bytes.length }
  await output.confirm(document, [`${file}: ${bytes.length} bytes, from bug ${shownValue(attachment.bug_id)}.`])
}

/** A name in this folder: the server must not choose another one, hide the file, or make an option of its name. */
export function safeFileName(name: string, id: string): string {
  const own = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/]/gu, '_')
    .replace(/^[.\-\s]+/, '')
    .trim()
  return cleanLine(shortened(own)) || `attachment-${id}`
}

const LONGEST_NAME = 60
const LONGEST_ENDING = 10

/** Without the middle of a long name, because programs go by its end. */
function shortened(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= LONGEST_NAME) return name
  const ending = Array.from(extname(name))
  const kept = ending.length <= LONGEST_ENDING ? ending : []
  return [...characters.slice(0, LONGEST_NAME - kept.length), ...kept].join('')
}

/** A file is replaced only when the new one is whole. A link that the server has named leads nowhere. */
async function writeAttachment(file: string, bytes: Uint8Array, { force, output }: GetOptions) {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    // Such as a terminal or a named pipe.
    if (output !== undefined && found !== undefined && !found.isFile()) return writeFileSync(file, bytes)
    if (!force) return writeFileSync(file, bytes, { flag: 'wx', mode: 0o666 })
    const target = output !== undefined && found !== undefined ? realpathSync(file) : file
    const draft = `${target}.${randomUUID()}`
    try {
      writeFileSync(draft, bytes, { flag: 'wx', mode: found === undefined ? 0o666 : found.mode & 0o777 })
      renameSync(draft, target)
    } finally {
      rmSync(draft, { force: true })
    }
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandFailure(`${file} exists: name another file with --output, or add --force to overwrite it.`)
    throw new CommandFailure(`${file} cannot be written: ${message}`)
  }
}
