// Sends a comment together with a status, requests, hours and files.

import { usesMarkdown } from '../../../core/account/session.ts'
import { idempotencyKey, isLoginRequired, isSessionOver, NoConnection, post } from '../../../core/server/rest.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import type { BugStore } from '../bug-store.ts'
import { putUnlessChanged } from '../properties/save.ts'
import { isStatusAsSeen, statusConflict } from '../status/status-change.ts'
import { type ComposerExtras, composerExtras, type FlagChange, withStep } from './composed.ts'

export interface CommentDraft {
  text: string
  isPrivate: boolean
}

export interface WholeComment extends CommentDraft, ComposerExtras {
  files: readonly File[]
}

/** Why it cannot be sent yet. */
export function unavailableReason({ text, step, flags, hours, files }: WholeComment): string | undefined {
  if (step?.needsComment && text.trim() === '') return 'This step needs a comment.'
  if (flags.some(isAnswer) && text.trim() === '') return 'Write the answer first.'
  const isEmpty = text.trim() === '' && step === undefined && flags.length === 0 && hours === '' && files.length === 0
  return isEmpty ? 'Write something first.' : undefined
}

function isAnswer({ id }: FlagChange) {
  return id !== undefined
}

function flagBody(flag: FlagChange) {
  return flag.id === undefined ? { ...flag, new: true } : { id: flag.id, status: flag.status }
}

/** What the button does: “Comment and resolve”. */
export function submitLabel(whole: WholeComment): string {
  const { text, step, flags, hours, files } = whole
  const actions = [
    ...(text.trim() === '' ? [] : [flags.some(isAnswer) ? 'answer' : 'comment']),
    ...(files.length === 0 ? [] : ['attach']),
    ...(step === undefined ? [] : [verbOf(step)]),
    ...(flags.every(isAnswer) ? [] : ['ask']),
    ...(hours === '' ? [] : ['add hours']),
  ]
  if (actions.length === 0) return 'Comment'
  const last = actions.length > 1 ? ` and ${actions.at(-1)}` : ''
  const all = (last === '' ? (actions[0] as string) : actions.slice(0, -1).join(', ')) + last
  return (all[0]?.toUpperCase() ?? '') + all.slice(1)
}

const VERBS: Readonly<Record<string, string>> = { RESOLVED: 'resolve', VERIFIED: 'verify', CLOSED: 'close' }

function verbOf(step: NonNullable<ComposerExtras['step']>) {
  if (step.isDuplicate) return 'mark as duplicate'
  if (step.change.status === undefined) return 'change the resolution'
  return VERBS[step.status] ?? (step.isOpen ? `set to ${displayValue(step.status).toLowerCase()}` : 'close')
}

/** The parameter that says whether a new comment is Markdown. */
export function markdown() {
  return usesMarkdown.value ? { is_markdown: true } : {}
}

/** The key of the last attempt, so that the same text is stored only once. */
let attempt = { text: '', key: idempotencyKey() }

export async function sendComment(bugId: number, { text, isPrivate }: CommentDraft) {
  const whole = `${bugId} ${isPrivate} ${text}`
  if (attempt.text !== whole) attempt = { text: whole, key: idempotencyKey() }
  await post('/bug/:ref/comment', { ref: bugId, comment: text, is_private: isPrivate, ...markdown() }, attempt.key)
  attempt = { text: '', key: idempotencyKey() }
}

/** Returns what was sent. The rest stays in the composer. */
export async function sendComposed(
  store: BugStore,
  whole: WholeComment,
  retry: () => void,
): Promise<WholeComment | undefined> {
  try {
    const sent = await sendParts(store, whole)
    await (sent === undefined ? showStatusConflict(store, whole) : store.reload())
    return sent
  } catch (fault) {
    showNotSent(fault, retry)
    return undefined
  }
}

/** Says why nothing was sent. What can be tried again is offered again. */
export function showNotSent(fault: unknown, retry: () => void) {
  if (isLoginRequired(fault)) isSessionOver.value = true
  else if (fault instanceof NoConnection)
    showToast({
      kind: 'failed',
      text: 'Not sent. The server does not answer. Your text is kept.',
      action: { name: 'Try again', run: retry },
    })
  else showFault(fault)
}

/** The name of the composer's conflict, which is shown in the composer. */
export const COMPOSER_STATUS = 'composer status'

/** Nothing was sent. The reader keeps the other status, or decides for their own and sends again. */
async function showStatusConflict(store: BugStore, { step }: WholeComment) {
  if (step === undefined) return
  const { status = '', resolution = '' } = store.bug.value ?? {}
  const choose = (next: ComposerExtras['step']) => {
    store.setConflict(COMPOSER_STATUS, undefined)
    composerExtras.value = withStep(composerExtras.value, next)
  }
  store.setConflict(COMPOSER_STATUS, {
    ...(await statusConflict(store, step.name)),
    keepTheirs: () => choose(undefined),
    setMine: () => choose({ ...step, from: { status, resolution } }),
  })
}

/** Returns what was sent; undefined if another user changed the status meanwhile. */
async function sendParts(store: BugStore, whole: WholeComment): Promise<WholeComment | undefined> {
  const { text, isPrivate, step, flags, hours, files } = whole
  const hasMore = step !== undefined || flags.length > 0 || hours !== ''
  const sendText = async () => {
    if (hasMore) return putChanges(store, whole)
    await sendComment(store.id, { text, isPrivate })
    return true
  }
  if (files.length === 0) return (await sendText()) ? whole : undefined
  // Loaded for the few comments with files.
  const { sendWithFiles } = await import('./send-files.ts')
  const left = await sendWithFiles(store.id, whole, { hasMore, sendText })
  return left && { ...whole, files: files.filter((file) => !left.includes(file)) }
}

function putChanges(store: BugStore, { text, isPrivate, step, flags, hours }: WholeComment): Promise<boolean> {
  const body = {
    ...(text.trim() !== '' && { comment: { body: text, is_private: isPrivate, ...markdown() } }),
    ...step?.change,
    ...(step?.dupeOf !== undefined && { dupe_of: step.dupeOf }),
    ...(flags.length > 0 && { flags: flags.map(flagBody) }),
    ...(hours !== '' && { work_time: Number(hours) }),
  }
  return putUnlessChanged(
    store,
    () => body,
    () => step === undefined || isStatusAsSeen(store, step.from),
  )
}
