import type { Attachment } from '../../core/types.ts'

export function sizeOf(bytes: number) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function isPicture({ content_type: type, is_patch: isPatch }: Attachment) {
  return !isPatch && /^image\/(png|jpeg|gif|webp|bmp|avif)\b/.test(type)
}

export function iconFor(attachment: Attachment) {
  if (attachment.is_patch) return 'diff'
  return isPicture(attachment) ? 'image' : 'file'
}
