// What a person wrote, as the page lists and counts it.
import type { Answer } from '../../../../client/call-types.ts'

export type Activity = Answer<'GET /user/:ref/activity'>
export type HiddenStep = Activity['hidden'][number]

/** The server returns at most so many of each kind, and hides at most so many in one step. */
export const MOST_OF_A_KIND = 1000
/** So much of a comment is read: enough to see what it is. */
export const LONGEST_TEXT = 300

export interface Counts {
  bugs: number
  comments: number
  attachments: number
}

export interface WrittenItem {
  key: string
  icon: string
  words: string
  bug: number
  /** The part of the page of the bug where it is. */
  part: string
  at: string
  text: string
  /** What of it is hidden, in words. */
  hidden: string | undefined
}

/** The newest first. The description of a bug is listed as the bug. */
export function itemsIn({ bugs, comments, attachments }: Activity): WrittenItem[] {
  const descriptions = new Map(comments.filter(({ count }) => count === 0).map((it) => [it.bug_id, it]))
  return [
    ...bugs.map((it) => ({
      ...{ key: `bug ${it.id}`, icon: 'plus', words: 'filed', bug: it.id, part: '', at: it.creation_time },
      text: [it.summary, descriptions.get(it.id)?.text ?? ''].filter((text) => text !== '').join('\n'),
      hidden: descriptions.get(it.id)?.is_hidden ? 'description hidden' : undefined,
    })),
    ...comments
      // Attachments without a comment have an empty one.
      .filter(({ count, text }) => count > 0 && text !== '')
      .map((it) => ({
        ...{ key: `comment ${it.id}`, icon: 'comment', words: 'commented on', bug: it.bug_id, part: `#c${it.count}` },
        ...{ at: it.time, text: it.text, hidden: it.is_hidden ? 'hidden' : undefined },
      })),
    ...attachments.map((it) => ({
      ...{ key: `attachment ${it.id}`, icon: 'clip', words: 'attached to', bug: it.bug_id, part: '' },
      ...{
        at: it.creation_time,
        text: `${it.summary}\n${it.file_name}`,
        hidden: it.is_obsolete ? 'obsolete' : undefined,
      },
    })),
  ].sort((one, other) => other.at.localeCompare(one.at))
}

export function countsIn({ bugs, comments, attachments }: Activity): Counts {
  return { bugs: bugs.length, comments: comments.length, attachments: attachments.length }
}

export function isCut({ bugs, comments, attachments }: Counts) {
  return Math.max(bugs, comments, attachments) >= MOST_OF_A_KIND
}

/** “2 bugs, 1 comment and 3 attachments”; “nothing” for none at all. */
export function inWords(counts: Counts): string {
  const { bugs, comments, attachments } = counts
  const parts = [some(bugs, 'bug'), some(comments, 'comment'), some(attachments, 'attachment')].filter(
    (part) => part !== undefined,
  )
  const last = parts.pop()
  if (last === undefined) return 'nothing'
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** What restoring brought back, and what it left alone, because it was changed or deleted since it was hidden. */
export function restoredInWords(hidden: Counts, restored: Counts): string {
  const left = {
    bugs: hidden.bugs - restored.bugs,
    comments: hidden.comments - restored.comments,
    attachments: hidden.attachments - restored.attachments,
  }
  const done = `Shown again: ${inWords(restored)}.`
  const rest = inWords(left)
  return rest === 'nothing' ? done : `${done} Left alone, because of changes since: ${rest}.`
}

function some(count: number, name: string) {
  if (count === 0) return undefined
  return count === 1 ? `1 ${name}` : `${count.toLocaleString()} ${name}s`
}
