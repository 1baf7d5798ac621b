import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { ParamsOf } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { StrangeAnswer } from '../failures/strange-answer.ts'
import { LARGEST_INPUT, readStandardInputBytes } from '../input/ask.ts'
import { KeptText, removeIfKept, sendKept, shellWord, whileKept } from '../input/kept-text.ts'
import type { Connection } from '../servers/connection.ts'
import { flagOf } from './field-options.ts'
import { proposalIn } from './proposal.ts'
import { givenText, type TextOptions } from './typed-text.ts'

export interface AttachOptions extends TextOptions {
  readonly summary?: string
  readonly name?: string
  readonly type?: string
  readonly patch?: boolean
  readonly private?: boolean
  readonly flag?: readonly string[]
}

const TYPES = new Map([
  ['.txt', 'text/plain'],
  ['.log', 'text/plain'],
  ['.md', 'text/plain'],
  ['.patch', 'text/plain'],
  ['.diff', 'text/plain'],
  ['.csv', 'text/csv'],
  ['.html', 'text/html'],
  ['.xml', 'application/xml'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.svg', 'image/svg+xml'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.gz', 'application/gzip'],
])

export async function runAttach(ref: string, files: readonly string[], options: AttachOptions, context: Context) {
  if (files.length > 1 && (options.summary !== undefined || options.name !== undefined))
    throw wrongCommandLine('--summary and --name are for one file.')
  if (options.file === '-' && files.includes('-')) throw wrongCommandLine('Standard input is a file or the comment.')
  const flags = options.flag?.map(flagOf)
  const connection = context.connect()
  const again = `lacewing attach ${[ref, ...files].map(shellWord).join(' ')} --file FILE`
  const comment = await givenText(context, options, { purpose: `attach-${ref}`, again }, false)
  const ids = await whileKept(comment?.kept, connection.name, async () => {
    // All files are read before the first is sent.
    const contents: Content[] = []
    for (const file of files) contents.push(await readContent(ref, file, options, context))
    const attached: number[] = []
    for (const content of contents) {
      const isFirst = content === contents[0]
      const sent = {
        ...content.attachment,
        ...(flags && { flags }),
        ...(isFirst && comment && { comment: comment.text }),
      }
      await sendKept(content.kept, connection.name, async () =>
        attached.push(...(await attach(ref, sent, connection, context))),
      )
      // The first attachment has it.
      comment?.kept?.remove()
    }
    return attached
  })
  removeIfKept(options.file, context)
  await context.output.confirm({ ids }, context.output.isTerminal ? [] : ids.map(String))
}

async function attach(ref: string, attachment: Attachment, connection: Connection, { output }: Context) {
  const once = await connection.isLacewing()
  const answer = await connection.client.post('/bug/:ref/attachment', { ref, ...attachment } as Params, { once })
  const proposed = proposalIn(answer)
  if (proposed !== undefined) {
    output.note(proposed.line)
    return []
  }
  // Bugzilla 5 returns the ids; its documentation shows the attachments.
  const { ids } = answer
  if (!Array.isArray(ids) || !ids.every(Number.isSafeInteger))
    throw new StrangeAnswer('it does not say the number of the attachment; look whether it is there')
  output.note(`${attachment.file_name} is attachment ${ids.join(', ')} of bug ${ref}.`)
  return ids
}

type Params = ParamsOf<'POST /bug/:ref/attachment'>

type Attachment = ReturnType<typeof attachmentOf>

interface Content {
  readonly attachment: Attachment
  /** What was piped in is nowhere else. */
  readonly kept: KeptText | undefined
}

async function readContent(ref: string, file: string, options: AttachOptions, context: Context): Promise<Content> {
  if (file !== '-') return { attachment: attachmentOf(file, readBytes(file), options), kept: undefined }
  const bytes = await readStandardInputBytes()
  const attachment = attachmentOf(file, bytes, options)
  const again = `lacewing attach ${shellWord(ref)} FILE --name ${shellWord(attachment.file_name)}`
  return { attachment, kept: new KeptText(context, { purpose: `attachment-${ref}`, again }, bytes) }
}

function readBytes(file: string): Buffer {
  try {
    if (statSync(file).size > LARGEST_INPUT) throw new Error(`it is larger than ${LARGEST_INPUT / 1024 / 1024} MiB`)
    return readFileSync(file)
  } catch (fault) {
    throw new CommandFailure(`${file} cannot be read: ${(fault as Error).message}`)
  }
}

function attachmentOf(file: string, bytes: Buffer, options: AttachOptions) {
  const name = options.name ?? (file === '-' ? 'standard-input.txt' : basename(file))
  const isPatch = options.patch ?? /\.(?:patch|diff)$/.test(name)
  return {
    file_name: name,
    summary: options.summary ?? name,
    ...(isPatch ? { is_patch: true } : { content_type: options.type ?? typeOf(name, bytes) }),
    data: bytes.toString('base64'),
    ...(options.private && { is_private: true }),
  }
}

function typeOf(name: string, bytes: Buffer) {
  const usual = bytes.subarray(0, 4096).includes(0) ? 'application/octet-stream' : 'text/plain'
  return TYPES.get(extname(name).toLowerCase()) ?? usual
}
