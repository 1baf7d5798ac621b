import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOfContent } from '../../../bugs/attachments/reading/attachment-content.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { EMPTY_KEY } from '../../../platform/contents/content-store.ts'
import type { Contents } from '../../../platform/contents/contents.ts'
import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { type ConversionContext, flagOf, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import { type BugPart, rowsOfBugs } from './bug-part.ts'

/** A content that is in the store. */
export interface StoredContent {
  key: string
  size: number
  text: string | undefined
  /** What is to be said about it in the report. */
  note?: string
}

const DELETED: StoredContent = { key: EMPTY_KEY, size: 0, text: undefined }

/** Contents are stored several at a time, because each waits for the disk, but not more bytes than this. */
const BYTES_AT_ONCE = 16 * 1024 * 1024

/** Where contents of attachments are stored. */
export interface ContentTarget {
  readonly contents: Contents
  readonly settings: Settings
}

/** Stores the contents of all attachments of these bugs, before the transaction that records and attaches them. */
export async function storeContents(
  context: ConversionContext,
  target: ContentTarget,
  after: number,
  last: number,
): Promise<Map<number, StoredContent>> {
  const stored = new Map<number, StoredContent>()
  let waiting = new Map<string, Buffer>()
  let bytes = 0
  const rows = context.staging.all('select attach_id from attachments where bug_id > ? and bug_id <= ?', after, last)
  for (const row of rows) {
    const id = numberOf(row.attach_id)
    if (!isId(id)) continue
    const found = contentOf(context, id)
    if ('key' in found) stored.set(id, found)
    else if (found.length === 0) stored.set(id, DELETED)
    else {
      const digest = createHash('sha256').update(found).digest('hex')
      stored.set(id, { key: digest, size: found.length, text: textOfContent(found) })
      waiting.set(digest, found)
      bytes += found.length
    }
    if (bytes < BYTES_AT_ONCE) continue
    await putAll(target, waiting)
    waiting = new Map()
    bytes = 0
  }
  await putAll(target, waiting)
  return stored
}

async function putAll({ contents, settings }: ContentTarget, waiting: ReadonlyMap<string, Buffer>) {
  await Promise.all([...waiting].map(([digest, bytes]) => contents.put(settings, { key: digest, digest, bytes })))
}

/** The bytes in the dump, or in the folder if the row is empty. Without a row the content was deleted. */
function contentOf({ staging, attachmentsFolder }: ConversionContext, id: number): Buffer | StoredContent {
  const row = staging.first('select thedata from attach_data where id = ?', id)
  if (row === undefined && attachmentsFolder === undefined) return DELETED
  const data = row?.thedata
  const bytes = data instanceof Uint8Array ? Buffer.from(data) : Buffer.from(stagedText(data))
  if (bytes.length > 0) return bytes
  if (attachmentsFolder === undefined)
    return {
      ...DELETED,
      note: 'its content is in a file of data/attachments; --attachments was not given, so it is empty',
    }
  const file = join(attachmentsFolder, `group.${String(id % 100).padStart(2, '0')}`, `attachment.${id}`)
  try {
    return readFileSync(file)
  } catch (fault) {
    if (row === undefined) return DELETED
    return { ...DELETED, note: `its content cannot be read (${(fault as NodeJS.ErrnoException).code}): ${file}` }
  }
}

export interface NewAttachments {
  rows: NewRow<'attachments'>[]
  texts: NewRow<'attachment_texts'>[]
  ids: Set<number>
}

export function attachmentsOf(
  context: ConversionContext,
  part: BugPart,
  lookup: BugLookup,
  stored: ReadonlyMap<number, StoredContent>,
): NewAttachments {
  const made: NewAttachments = { rows: [], texts: [], ids: new Set() }
  for (const row of rowsOfBugs(context, part, 'attachments', 'bug_id, attach_id'))
    addAttachment(context, lookup, stored, made, row)
  return made
}

function addAttachment(
  { journal, zone, staging }: ConversionContext,
  lookup: BugLookup,
  stored: ReadonlyMap<number, StoredContent>,
  made: NewAttachments,
  row: StagedRow,
) {
  const [id, user] = [numberOf(row.attach_id), userIn(lookup, row.submitter_id)]
  if (!isId(id) || made.ids.has(id) || user === undefined) {
    journal.refuse('attachments', stagedText(row.attach_id), 'its number or its author cannot be used', row)
    return
  }
  const { key, size, text, note } = stored.get(id) ?? DELETED
  if (note !== undefined) journal.note('attachments', id, note)
  const created = zone.toUtc(stagedText(row.creation_ts))
  const changed = zone.toUtc(stagedText(row.modification_time))
  if (created === undefined)
    journal.note('attachments', id, 'its time is impossible; the last change or the time of the import stands for it')
  const known = created ?? changed ?? journal.begunAt
  made.rows.push({
    id,
    bug_id: numberOf(row.bug_id) as number,
    user_id: user,
    created_at: known,
    changed_at: changed ?? known,
    file_name: stagedText(row.filename),
    summary: stagedText(row.description),
    content_type: stagedText(row.mimetype),
    is_private: flagOf(row.isprivate),
    is_obsolete: flagOf(row.isobsolete),
    is_patch: flagOf(row.ispatch),
    size,
    content_digest: key,
  })
  if (text !== undefined) made.texts.push({ attachment_id: id, text })
  made.ids.add(id)
  journal.made('attachments')
  if (staging.first('select 1 as found from attach_data where id = ?', id) !== undefined) journal.made('attach_data')
}
