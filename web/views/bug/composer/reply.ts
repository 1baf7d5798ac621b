// Replies, which begin with a quote.
import { signal, useComputed } from '@preact/signals'
import { personBy } from '../../../core/bugs/people.ts'
import type { Comment } from '../../../core/server/types.ts'
import { nameOf } from '../../../parts/person.tsx'

/** Text that the composer inserts. It also takes the focus. */
export const textToInsert = signal<{ text: string } | undefined>(undefined)

/** The number of the comment that a key asks to edit. */
export const commentToEdit = signal<number | undefined>(undefined)

/** Quotes what is selected of the comment, or all of it. */
export function replyTo(comment: Comment) {
  const selected = selectionIn(`c${comment.count}`)
  const quoted = (selected ?? comment.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  textToInsert.value = {
    text: `(In reply to ${nameOf(comment.creator_detail ?? personBy(comment.creator))} from comment ${comment.count})\n${quoted}\n\n`,
  }
}

function selectionIn(id: string): string | undefined {
  const selection = getSelection()
  const prose = document.querySelector(`#${id} .prose`)
  if (selection?.anchorNode == null || !prose?.contains(selection.anchorNode)) return undefined
  // What is selected beyond the comment was written by others.
  if (!prose.contains(selection.focusNode)) {
    const isBackward = (selection.getRangeAt(0).startContainer as Node) !== selection.anchorNode
    selection.extend(prose, isBackward ? 0 : prose.childNodes.length)
  }
  return selection.toString().trim() || undefined
}

/** The number of the comment with the focus or the selection. It stays while a dialog, such as the palette, is open. */
const focusedComment = signal<number | undefined>(undefined)

/** A comment is drawn again when this changes, not whenever the focus moves among others. */
export function useIsFocused(count: number): boolean {
  return useComputed(() => focusedComment.value === count).value
}

function noteFocus() {
  const { activeElement } = document
  if (activeElement?.closest('dialog') != null) return
  const selected = getSelection()?.anchorNode?.parentElement?.closest('.comment')
  const comment = activeElement?.closest('.comment') ?? (activeElement === document.body ? selected : undefined)
  focusedComment.value = comment?.id === undefined ? undefined : Number(comment.id.slice(1))
}

addEventListener('focusin', noteFocus)
document.addEventListener('selectionchange', noteFocus)

/** The comment that the reader looks at: the one with the selection or the focus, or else the last one. */
export function currentComment(comments: readonly Comment[]): Comment | undefined {
  const at =
    getSelection()?.anchorNode?.parentElement?.closest('.comment')?.id ??
    document.activeElement?.closest('.comment')?.id
  return comments.find(({ count }) => `c${count}` === at) ?? comments.at(-1)
}

/** The comment with the focus, or else the one that the reader looks at. */
export function focusedOrCurrent(comments: readonly Comment[]): Comment | undefined {
  const at = document.activeElement?.closest('.comment')?.id
  return comments.find(({ count }) => `c${count}` === at) ?? currentComment(comments)
}
