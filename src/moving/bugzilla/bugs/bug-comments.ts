import { COMMENT_KIND, isAboutAttachment } from '../../../bugs/comments/comment.ts'
import { IMPORTED } from '../../../changes/current-change.ts'
import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { placeOf, SUMMARY_PLACE, wordsIn } from '../../../platform/text/words.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'
import { type ConversionContext, flagOf, hundredthsOf, isId, numberOf, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { type BugLookup, userIn } from './bug-lookup.ts'
import { type BugPart, rowsOfBugs } from './bug-part.ts'
import type { PartSource } from './prepared-part.ts'

export interface NewComments {
  rows: NewRow<'comments'>[]
  tags: NewRow<'comment_tags'>[]
  /** Positions and words, as the word indexes keep them. */
  words: (string | number)[]
  privateWords: (string | number)[]
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
    const comment =
      number < SUMMARY_PLACE ? commentFrom(context, { lookup, attachments, ids: made.ids }, row, number) : undefined
    if (comment === undefined) continue
    addComment(made, comment)
    context.journal.made('longdescs')
    counts.set(bug, number + 1)
    if (number === 0) described.add(bug)
    const words = wordsIn(comment.text)
    if (words.length > 0)
      (comment.is_private === 1 ? made.privateWords : made.words).push(placeOf(bug, number), keptWords(words))
  }
  addTags(context, made)
  for (const { id, creator, created } of part.bugs.values()) {
    if (described.has(id) || freeCommentId + id > LARGEST_ID) continue
    made.rows.push({
      ...{ id: freeCommentId + id, bug_id: id, number: 0, user_id: creator, at: created, text: '' },
      ...{ is_private: 0, kind: COMMENT_KIND.normal, about_id: null, work_hundredths: 0, is_markdown: 0 },
      change_id: IMPORTED,
    })
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
      made.tags.push({ comment_id: comment, tag, tag_key: fold(tag) })
      journal.made('longdescs_tags')
    }
  }
}

interface KnownIds {
  lookup: BugLookup
  attachments: ReadonlySet<number>
  /** Of the comments so far. */
  ids: ReadonlySet<number>
}

/** The comment as it is stored; undefined, with a line in the report, if it cannot be. */
function commentFrom(
  { journal, zone }: ConversionContext,
  { lookup, attachments, ids }: KnownIds,
  row: StagedRow,
  number: number,
) {
  const [id, user] = [numberOf(row.comment_id), userIn(lookup, row.who)]
  if (!isId(id) || ids.has(id) || user === undefined) {
    journal.refuse('longdescs', stagedText(row.comment_id), 'its number or its author cannot be used', row)
    return undefined
  }
  const at = zone.toUtc(stagedText(row.bug_when))
  if (at === undefined) journal.note('longdescs', id, 'its time is impossible; the time of the import stands for it')
  const { kind, about, text } = contentOf(journal, row, id, attachments)
  return {
    id,
    bug_id: numberOf(row.bug_id) as number,
    number,
    user_id: user,
    at: at ?? journal.begunAt,
    text,
    is_private: flagOf(row.isprivate),
    kind,
    about_id: about,
    work_hundredths: hundredthsOf(row.work_time),
    is_markdown: flagOf(row.is_markdown),
    change_id: IMPORTED,
  }
}

type Comment = NonNullable<ReturnType<typeof commentFrom>>

function addComment({ rows, ids, work }: NewComments, comment: Comment) {
  const { id, bug_id, work_hundredths } = comment
  rows.push(comment)
  ids.add(id)
  if (work_hundredths !== 0) work.set(bug_id, (work.get(bug_id) ?? 0) + work_hundredths)
}

const MOVED = 4

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
  if (kind === COMMENT_KIND.popularVotes) return { ...plain, kind }
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
