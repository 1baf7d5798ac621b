import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { ParamsOf } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { readStandardInputBytes } from '../input/ask.ts'
import { proposalIn } from './proposal.ts'

export interface AttachOptions {
  readonly summary?: string
  readonly name?: string
  readonly type?: string
  readonly patch?: boolean
  readonly private?: boolean
  readonly message?: string
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
  // All files are read before the first is sent.
  const contents: { file: string; bytes: Buffer }[] = []
  for (const file of files) contents.push({ file, bytes: await readContent(file) })
  const connection = context.connect()
  const once = await connection.isLacewing()
  const ids: number[] = []
  for (const { file, bytes } of contents) {
    const sent = attachmentOf(file, bytes, { ...options, ...(ids.length > 0 && { message: undefined }) })
    const answer = await connection.client.post('/bug/:ref/attachment', { ref, ...sent } as Params, { once })
    const proposed = proposalIn(answer)
    if (proposed !== undefined) {
      context.output.note(proposed.line)
      continue
    }
    // Bugzilla 5 returns the ids; its documentation shows the attachments.
    ids.push(...answer.ids)
    context.output.note(`${file} is attachment ${answer.ids.join(', ')} of bug ${ref}.`)
  }
  await context.output.confirm({ ids }, context.output.isTerminal ? [] : ids.map(String))
}

type Params = ParamsOf<'POST /bug/:ref/attachment'>

function attachmentOf(file: string, bytes: Buffer, options: AttachOptions) {
  const name = options.name ?? (file === '-' ? 'standard-input.txt' : basename(file))
  const isPatch = options.patch ?? /\.(?:patch|diff)$/.test(name)
  return {
    file_name: name,
    summary: options.summary ?? name,
    content_type: options.type ?? TYPES.get(extname(name).toLowerCase()) ?? usualType(bytes),
    data: bytes.toString('base64'),
    ...(isPatch && { is_patch: true }),
    ...(options.private && { is_private: true }),
    ...(options.message !== undefined && { comment: options.message }),
  }
}

function usualType(bytes: Buffer) {
  return bytes.subarray(0, 4096).includes(0) ? 'application/octet-stream' : 'text/plain'
}

async function readContent(file: string): Promise<Buffer> {
  if (file === '-') return readStandardInputBytes()
  try {
    return readFileSync(file)
  } catch (fault) {
    throw new CommandFailure(`${file} cannot be read: ${(fault as Error).message}`)
  }
}
