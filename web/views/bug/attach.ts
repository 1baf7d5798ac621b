// Attaching a file.
import { idempotencyKey, post } from '../../core/rest.ts'
import { usesMarkdown } from '../../core/session.ts'

interface Details {
  comment: string
  isPrivate: boolean
  summary?: string
  isPatch?: boolean
}

export async function attachFile(bugId: number, file: File, { comment, isPrivate, summary, isPatch }: Details) {
  const isDiff = isPatch ?? /\.(diff|patch)$/i.test(file.name)
  const body = {
    data: await base64Of(file),
    file_name: file.name,
    summary: summary?.trim() || file.name,
    content_type: file.type || 'application/octet-stream',
    is_patch: isDiff,
    ...(comment !== '' && { comment, ...(usesMarkdown.value && { is_markdown: true }) }),
    ...(isPrivate && { is_private: true }),
  }
  await post(`/rest/bug/${bugId}/attachment`, body, keyFor(file, JSON.stringify([bugId, { ...body, data: '' }])))
}

type Key = ReturnType<typeof idempotencyKey>

const keys = new WeakMap<File, Map<string, Key>>()

/** The same file with the same details is attached once, however often it is tried. */
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
