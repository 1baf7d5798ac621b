import { COMMENT_KIND, isAboutAttachment } from '../../../bugs/comments/comment.ts'
import { fold } from '../../../platform/text/fold.ts'
import { placeOf, SUMMARY_PLACE, wordsIn } from '../../../platform/text/words.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'
import { type ConversionContext, flagOf, hundredthsOf, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import { type BugPart, type Cells, rowsOfBugs } from './bug-part.ts'
import type { PartSource } from './prepared-part.ts'

export const COMMENT_COLUMNS = [
  'id',
  'bug_id',
  'number',
  'user_id',
  'at',
  'text',
  'is_private',
  'kind',
  'about_id',
  'work_hundredths',
  'is_markdown',
] as const

export interface NewComments {
  rows: Cells[]
  tags: Cells[]
  /** Positions and words, as the word indexes keep them. */
  words: Cells
  privateWords: Cells
  /** Hundredths of hours worked, by bug. */
  work: Map<number, number>
  /** The numbers of all comments that were made. */
  ids: Set<number>
}

/** Comments with their numbers within the bug. Bugzilla does not store these: they follow from times and ids. */
export function commentsOf(
  context: ConversionContext,
  part: BugPart,
  lookup: BugLookup,
  attachments: ReadonlySet<number>,
  { freeCommentId, keptWords }: PartSource,
): NewComments {
  const made: NewComments = { rows: [], tags: [], words: [], privateWords: [], work: new Map(), ids: new Set() }
  const counts = new Map<number, number>()
  const described = new Set<number>()
  for (const row of rowsOfBugs(context, part, 'longdescs', 'bug_id, number_in_bug, bug_when, comment_id')) {
    const bug = numberOf(row.bug_id) as number
    const free = counts.get(bug) ?? 0
    const number = Math.max(numberOf(row.number_in_bug) ?? free, free)
    if (number >= SUMMARY_PLACE)
      context.journal.refuse('longdescs', stagedText(row.comment_id), 'its bug has too many', row)
    if (number >= SUMMARY_PLACE || !addComment(context, lookup, attachments, made, row, bug, number)) continue
    counts.set(bug, number + 1)
    if (number === 0) described.add(bug)
    const [, , , , , text, isPrivate] = made.rows.at(-1) as Cells
    const words = wordsIn(text as string)
    if (words.length > 0)
      (isPrivate === 1 ? made.privateWords : made.words).push(placeOf(bug, number), keptWords(words))
  }
  addTags(context, made)
  for (const { id, creator, created } of part.bugs.values()) {
    if (described.has(id) || freeCommentId + id > LARGEST_ID) continue
    made.rows.push([freeCommentId + id, id, 0, creator, created, '', 0, COMMENT_KIND.normal, null, 0, 0])
    context.journal.note('bugs', id, 'it had no description; it has an empty one now')
  }
  return made
}

function addTags({ staging, journal }: ConversionContext, made: NewComments) {
  const ids = JSON.stringify([...made.ids])
  const seen = new Set<string>()
  for (const row of staging.all(
    'select comment_id, tag from longdescs_tags where comment_id in (select value from json_each(?))',
    ids,
  )) {
    const [comment, tag] = [numberOf(row.comment_id) as number, stagedText(row.tag)]
    const key = `${comment} ${fold(tag)}`
    if (seen.has(key)) journal.joined('longdescs_tags')
    else {
      seen.add(key)
      made.tags.push([comment, tag, fold(tag)])
      journal.made('longdescs_tags')
    }
  }
}

function addComment(
  { journal, zone }: ConversionContext,
  lookup: BugLookup,
  attachments: ReadonlySet<number>,
  made: NewComments,
  row: StagedRow,
  bug: number,
  number: number,
): boolean {
  const [id, user] = [numberOf(row.comment_id), userIn(lookup, row.who)]
  if (!isId(id) || made.ids.has(id) || user === undefined) {
    journal.refuse('longdescs', stagedText(row.comment_id), 'its number or its author cannot be used', row)
    return false
  }
  const at = zone.toUtc(stagedText(row.bug_when))
  if (at === undefined) journal.note('longdescs', id, 'its time is impossible; the time of the import stands for it')
  const { kind, about, text } = contentOf(journal, row, id, attachments)
  const isPrivate = flagOf(row.isprivate)
  const hundredths = hundredthsOf(row.work_time)
  const isMarkdown = flagOf(row.is_markdown)
  made.rows.push([id, bug, number, user, at ?? journal.begunAt, text, isPrivate, kind, about, hundredths, isMarkdown])
  made.ids.add(id)
  if (hundredths !== 0) made.work.set(bug, (made.work.get(bug) ?? 0) + hundredths)
  journal.made('longdescs')
  return true
}

const [CONFIRMED_BY_VOTES, MOVED] = [3, 4]

/** What the comment is about. Of kinds that do not exist here, the sentence becomes part of the text. */
function contentOf(
  journal: ConversionContext['journal'],
  row: StagedRow,
  id: number,
  attachments: ReadonlySet<number>,
) {
  const kind = numberOf(row.type) ?? 0
  const text = stagedText(row.thetext)
  const about = numberOf(row.extra_data)
  const plain = { kind: COMMENT_KIND.normal, about: null, text }
  if (kind === COMMENT_KIND.normal) return plain
  if (kind === CONFIRMED_BY_VOTES) return { ...plain, text: text === '' ? VOTES : `${text}\n\n${VOTES}` }
  if (kind === MOVED) {
    journal.note(
      'longdescs',
      id,
      `says that the bug was moved by ${stagedText(row.extra_data)}; only its text was kept`,
    )
    return plain
  }
  const isKnown = (Object.values(COMMENT_KIND) as number[]).includes(kind)
  const isThere = isId(about) && (!isAboutAttachment(kind) || attachments.has(about))
  if (isKnown && isThere) return { kind, about, text }
  journal.note(
    'longdescs',
    id,
    `is of type ${kind} about ${stagedText(row.extra_data) || 'nothing'}, which does not exist; only its text was kept`,
  )
  return plain
}

const VOTES = 'Confirmed by votes.'
