import type { Attachment } from '../../../core/server/types.ts'

export function isPicture({ content_type: type, is_patch: isPatch }: Attachment) {
  return !isPatch && /^image\/(png|jpeg|gif|webp|bmp|avif)\b/.test(type)
}

/** What can be shown as text, whatever it would do in a browser: logs, data, source code. */
export function isText({ content_type: type, is_patch: isPatch }: Attachment) {
  return isPatch || /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-sh|x-python)\b/.test(type)
}

export function iconFor(attachment: Attachment) {
  if (attachment.is_patch) return 'diff'
  return isPicture(attachment) ? 'image' : 'file'
}
