import { COMMENT_KIND } from '../../bugs/comments/comment.ts'
import { SUMMARY_PLACE } from '../../platform/text/words.ts'
import type { Json } from '../rest-client/rest-server.ts'
import { type CommentProof, commentFrom } from './comment-kinds.ts'
import type { FetchedBug } from './fetch-store.ts'
import {
  type JsonObject,
  propertyOf,
  restHours,
  restNumber,
  restObjects,
  restText,
  restTexts,
  restTime,
  restYes,
} from './rest-values.ts'
import type { PeopleNumbers } from './stage-people.ts'
import type { StagingWriter } from './staging-writer.ts'

export function stageComments(writer: StagingWriter, people: PeopleNumbers, id: number, fetched: FetchedBug) {
  const comments = restObjects(propertyOf(fetched.comments, 'comments'))
  const hours = hoursOf(fetched, comments)
  const numbers = numbersOf(comments)
  const proofOf = proofsIn(fetched)
  comments.forEach((comment, index) => {
    const commentId = restNumber(comment.id)
    const content = commentFrom(restText(comment.text), proofOf(comment))
    writer.row('longdescs', {
      comment_id: commentId ?? null,
      bug_id: id,
      number_in_bug: numbers[index] ?? null,
      who: people.userOf(comment.creator),
      bug_when: restTime(comment.creation_time ?? comment.time),
      work_time: hours[index] ?? 0,
      isprivate: restYes(comment.is_private),
      ...content,
    })
    const attachment = restNumber(comment.attachment_id)
    if (attachment !== undefined && content.type === COMMENT_KIND.normal)
      writer.note(
        'longdescs',
        commentId ?? '',
        `its text does not begin as those about attachment ${attachment} do; the whole text was kept`,
      )
    for (const tag of restTexts(comment.tags)) writer.row('longdescs_tags', { comment_id: commentId ?? null, tag })
  })
  const missing = gapsIn(numbers)
  if (missing.length > 0)
    writer.note('bugs', id, `the source does not show its comments ${missing.join(', ')}; their numbers stay free`)
}

/**
 * The numbers of comments within their bug, ascending. The source counts comments that it does not show too. Bugzilla gives
 * comments of one second the number of the last of them.
 */
export function numbersOf(comments: readonly JsonObject[]): number[] {
  const counts = comments.map(({ count }) => restNumber(count))
  const numbers: number[] = []
  for (let first = 0, next = 0; first < counts.length; ) {
    let after = first + 1
    while (after < counts.length && counts[after] === counts[first] && counts[first] !== undefined) after++
    const number = (counts[first] ?? next) - (after - first - 1)
    if (number > next && number < SUMMARY_PLACE - comments.length) next = number
    for (; first < after; first++) numbers.push(next++)
  }
  return numbers
}

/** Ranges of numbers that no comment has. */
function gapsIn(numbers: readonly number[]): string[] {
  return numbers.flatMap((number, index) => {
    const [first, last] = [(numbers[index - 1] ?? -1) + 1, number - 1]
    return first > last ? [] : first === last ? [String(first)] : [`${first} to ${last}`]
  })
}

/** Hours are shown only as a sum and in the history, from where they go back to the comments. */
function hoursOf({ bug, history }: FetchedBug, comments: readonly JsonObject[]): number[] {
  const hours = new Map<string, number>()
  for (const { entry, change } of changesIn(history))
    if (change.field_name === 'work_time') hours.set(momentOf(entry.when, entry.who), restHours(change.added))
  const found = comments.map((comment) => {
    const key = momentOf(comment.creation_time ?? comment.time, comment.creator)
    const work = hours.get(key) ?? 0
    hours.delete(key)
    return work
  })
  const total = found.reduce((sum, work) => sum + work, 0)
  const rest = Math.round((restHours(propertyOf(bug, 'actual_time')) - total) * 100) / 100
  return found.map((work, index) => (index === 0 ? work + rest : work))
}

/** What shows whether sentences in the comments of a bug are of the tracker. */
function proofsIn({ bug, history, attachments }: FetchedBug): (comment: JsonObject) => CommentProof {
  const duplicateOf = restNumber(propertyOf(bug, 'dupe_of'))
  const resolved = new Set<string>()
  for (const { entry, change } of changesIn(history))
    if (change.field_name === 'resolution' && change.added === 'DUPLICATE')
      resolved.add(momentOf(entry.when, entry.who))
  const summaries = new Map(restObjects(attachments).map((it) => [restNumber(it.id), restText(it.summary)]))
  return (comment) => {
    const id = restNumber(comment.attachment_id)
    const summary = summaries.get(id)
    const moment = momentOf(comment.creation_time ?? comment.time, comment.creator)
    return {
      attachment: id === undefined || summary === undefined ? undefined : { id, summary },
      isDuplicateOf: (number) => number === duplicateOf || resolved.has(moment),
    }
  }
}

function changesIn(history: Json): { entry: JsonObject; change: JsonObject }[] {
  return restObjects(propertyOf(history, 'history')).flatMap((entry) =>
    restObjects(entry.changes).map((change) => ({ entry, change })),
  )
}

function momentOf(time: Json | undefined, person: Json | undefined) {
  return `${restText(time)} ${restText(person)}`
}
