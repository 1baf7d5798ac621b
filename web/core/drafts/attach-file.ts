// Attaching a file to a bug.

import { usesMarkdown } from '../account/session.ts'
import { idempotencyKey } from '../server/rest.ts'
import { upload } from './upload.ts'

export interface FileDetails {
  comment?: string
  isPrivate?: boolean
  summary?: string
  isPatch?: boolean
  /** A comment that was sent before shows it. */
  inComment?: boolean
}

/** Whether a file is a patch by its name. */
export function isPatchName(name: string) {
  return /\.(diff|patch)$/i.test(name)
}

/** Sends one file. `onProgress` gets the share that was sent. */
export async function attachFile(
  bugId: number,
  file: File,
  {
    comment = '',
    isPrivate = false,
    summary = '',
    isPatch = isPatchName(file.name),
    inComment = false,
  }: FileDetails = {},
  onProgress: (share: number) => void = () => undefined,
) {
  const details = {
    file_name: file.name,
    summary: summary.trim() || file.name,
    content_type: file.type || 'application/octet-stream',
    is_patch: isPatch,
    ...(comment !== '' && { comment, ...(usesMarkdown.value && { is_markdown: true }) }),
    ...(isPrivate && { is_private: true }),
    ...(inComment && { in_comment: true }),
  }
  const key = keyFor(file, JSON.stringify([bugId, details]))
  await upload(`/rest/bug/${bugId}/attachment`, { ...details, data: await base64Of(file) }, key, onProgress)
}

type Key = ReturnType<typeof idempotencyKey>

const keys = new WeakMap<File, Map<string, Key>>()

/** A file with the same details is attached only once, even if it is sent again. */
function keyFor(file: File, details: string): Key {
  const known = keys.get(file) ?? new Map<string, Key>()
  const key = known.get(details) ?? idempotencyKey()
  keys.set(file, known.set(details, key))
  return key
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`))
    reader.readAsDataURL(file)
  })
}
