// What is seldom done with comments: loaded when it is chosen.
import { addressOf } from '../../../../shared/rest-address.ts'
import { get, isRefusedFor, put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import type { BugStore } from '../bug-store.ts'

/** Only insiders see a private comment. */
export async function setCommentPrivate(store: BugStore, comment: Comment, isPrivate: boolean) {
  try {
    await put('/bug/:ref', { ref: store.id, comment_is_private: { [comment.id]: isPrivate } })
    await store.reload()
    showToast({
      kind: 'done',
      text: `Comment ${comment.count} is now ${isPrivate ? 'private' : 'public'}.`,
      action: { name: 'Undo', run: () => setCommentPrivate(store, comment, !isPrivate) },
    })
  } catch (fault) {
    showFault(fault)
  }
}

export async function markAnswer(store: BugStore, comment: Comment, isAnswer: boolean) {
  try {
    await put('/bug/comment/:comment_id/answer', { comment_id: comment.id, is_answer: isAnswer })
    await store.refreshComment(comment.id)
    showToast({
      kind: 'done',
      text: isAnswer ? `Comment ${comment.count} is an answer.` : `Comment ${comment.count} is no answer any more.`,
      action: { name: 'Undo', run: () => markAnswer(store, comment, !isAnswer) },
    })
  } catch (fault) {
    showFault(fault)
  }
}

/** Users without editbugs cannot comment then. */
export async function restrictComments(store: BugStore, isRestricted: boolean) {
  try {
    await put('/bug/:ref', { ref: store.id, restrict_comments: isRestricted })
    await store.reload()
    showToast({
      kind: 'done',
      text: isRestricted ? 'Only editors can comment on this bug now.' : 'Everybody can comment on this bug again.',
      action: { name: 'Undo', run: () => restrictComments(store, !isRestricted) },
    })
  } catch (fault) {
    showFault(fault)
  }
}

interface Tick {
  /** The text that the reader saw, the line of the task in it, and what they made of it. */
  text: string
  line: number
  isDone: boolean
}

/** How often a task is ticked again in a text that others have changed meanwhile. */
const MOST_ATTEMPTS = 4

/** Ticks a task of a list: an edit of the comment. What others tick at the same time stays. */
export async function tickTask(store: BugStore, comment: Comment, tick: Tick) {
  const seen = tick.text.split('\n')[tick.line] ?? ''
  showText(
    store,
    comment,
    comment.text.replace(tick.text, () => withTick(tick.text, tick.line, tick.isDone)),
  )
  try {
    for (let attempt = 1; ; attempt++) {
      const edit_count = store.comments.value.find(({ id }) => id === comment.id)?.edit_count ?? 0
      const { comments } = await get(addressOf('/editcomments/comment/:comment_id', { comment_id: comment.id }))
      const text = comments[comment.id] ?? ''
      const line = lineOf(text, seen, tick.line)
      if (line === undefined) throw new Error('The list was changed meanwhile. Look at it again.')
      const new_comment = withTick(text, line, tick.isDone)
      if (new_comment === text) break
      try {
        await put('/editcomments/comment/:comment_id', { comment_id: comment.id, new_comment, edit_count })
        break
      } catch (fault) {
        if (!isRefusedFor(fault, 'comment_edited_meanwhile') || attempt === MOST_ATTEMPTS) throw fault
        await store.refreshComment(comment.id)
      }
    }
  } catch (fault) {
    showText(store, comment, comment.text)
    showFault(fault)
  }
  await store.refreshComment(comment.id)
}

function showText(store: BugStore, { id }: Comment, text: string) {
  store.comments.value = store.comments.value.map((it) => (it.id === id ? { ...it, text } : it))
}

const BOX = /\[[ xX]\](?=\s)/

function withTick(text: string, line: number, isDone: boolean) {
  return text
    .split('\n')
    .map((it, place) => (place === line ? it.replace(BOX, isDone ? '[x]' : '[ ]') : it))
    .join('\n')
}

/** Where the line is that the reader saw, ticked or not: at its place, or elsewhere if it is there only once. */
function lineOf(text: string, seen: string, line: number): number | undefined {
  const bare = (it: string | undefined) => it?.replace(BOX, '[ ]')
  const lines = text.split('\n')
  if (bare(lines[line]) === bare(seen)) return line
  const places = [...lines.keys()].filter((place) => bare(lines[place]) === bare(seen))
  return places.length === 1 ? places[0] : undefined
}
