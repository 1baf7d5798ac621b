import type { Flag } from '../../platform/database/tables.ts'

/** The fields of an attachment that can be changed. */
export interface AttachmentDescription {
  file_name: string
  summary: string
  content_type: string
  is_patch: boolean
  is_private: boolean
  is_obsolete: boolean
}

/** An AttachmentDescription as the database returns it, with 1 and 0 for booleans. */
export type AttachmentDescriptionRow = {
  [Part in keyof AttachmentDescription]: AttachmentDescription[Part] extends boolean
    ? Flag
    : AttachmentDescription[Part]
}

export function attachmentDescription({
  file_name,
  summary,
  content_type,
  is_patch,
  is_private,
  is_obsolete,
}: AttachmentDescriptionRow): AttachmentDescription {
  return {
    file_name,
    summary,
    content_type,
    is_patch: is_patch === 1,
    is_private: is_private === 1,
    is_obsolete: is_obsolete === 1,
  }
}

export const EMPTY_DESCRIPTION: AttachmentDescription = {
  file_name: '',
  summary: '',
  content_type: '',
  is_patch: false,
  is_private: false,
  is_obsolete: false,
}

/** A new or changed attachment, which the rules check. `before` is undefined for a new one. */
export interface AttachmentEdit {
  before: AttachmentDescription | undefined
  after: AttachmentDescription
}

/** Applies the requested changes. The content type of a patch is always text/plain, whatever was requested. */
export function changedAttachment(
  before: AttachmentDescription,
  wanted: { [Part in keyof AttachmentDescription]?: AttachmentDescription[Part] | undefined },
): AttachmentDescription {
  const { file_name, summary, content_type, is_patch, is_private, is_obsolete } = wanted
  const after = {
    file_name: file_name === undefined ? before.file_name : cleanFileName(file_name),
    summary: summary === undefined ? before.summary : oneLine(summary),
    content_type: content_type === undefined ? before.content_type : plainContentType(content_type),
    is_patch: is_patch ?? before.is_patch,
    is_private: is_private ?? before.is_private,
    is_obsolete: is_obsolete ?? before.is_obsolete,
  }
  return after.is_patch ? { ...after, content_type: 'text/plain' } : after
}

export const LONGEST_FILE_NAME = 255

/** Marks that change the writing direction: they can make one file name look like another. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Removes folders and characters that would break a line or a header. A long name keeps its end, which has the extension. */
export function cleanFileName(input: string): string {
  const name = oneLine(input.replace(DIRECTION_MARKS, '')).replace(/^.*[/\\]/, '')
  const end = [...name].slice(-LONGEST_FILE_NAME).join('').trim()
  return end === '.' || end === '..' ? '' : end
}

function oneLine(text: string) {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

const CONTENT_TYPE =
  /^((?:application|audio|image|message|model|multipart|text|video)\/[a-z0-9_+.-]{1,100})(?:[ \t]*;[ \t]*charset=("?)([a-z0-9_:.+-]{1,40})\2)?$/i

export function isContentType(text: string) {
  return CONTENT_TYPE.test(text)
}

/** Normalises a content type: lower case, and at most a charset after it. Other text stays as it is, for the rules to refuse. */
function plainContentType(input: string): string {
  const [, type, , charset] = CONTENT_TYPE.exec(input.trim()) ?? []
  if (type === undefined) return input.trim()
  return charset === undefined ? type.toLowerCase() : `${type.toLowerCase()}; charset=${charset}`
}

/** The name of each field of an attachment in the history of the bug. */
export const HISTORY_NAMES: Readonly<Record<keyof AttachmentDescription, string>> = {
  summary: 'attachments.description',
  file_name: 'attachments.filename',
  content_type: 'attachments.mimetype',
  is_patch: 'attachments.ispatch',
  is_obsolete: 'attachments.isobsolete',
  is_private: 'attachments.isprivate',
}

export const FLAGS_FIELD = 'flagtypes.name'
