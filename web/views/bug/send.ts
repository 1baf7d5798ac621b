// Sends a comment with what goes with it: a status, requests, hours, files.
import { idempotencyKey, isLoginRequired, isSessionOver, NoConnection, post } from '../../core/rest.ts'
import { usesMarkdown } from '../../core/session.ts'
import { show, showFault } from '../../core/toasts.ts'
import { words } from '../../parts/glyphs.tsx'
import { attachFile } from './attach.ts'
import type { BugStore } from './bug-store.ts'
import type { Composed } from './composed.ts'
import { putUnlessChanged } from './save.ts'

export interface Draft {
  text: string
  isPrivate: boolean
}

export interface Whole extends Draft, Composed {
  files: readonly File[]
}

/** Why it cannot be sent yet. */
export function unavailableReason({ text, step, flags, hours, files }: Whole): string | undefined {
  if (step?.needsComment && text.trim() === '') return 'This step needs a comment.'
  const isEmpty = text.trim() === '' && step === undefined && flags.length === 0 && hours === '' && files.length === 0
  return isEmpty ? 'Write something first.' : undefined
}

/** What the button does: “Comment and resolve”. */
export function deedOf(whole: Whole): string {
  const { text, step, flags, hours, files } = whole
  const deeds = [
    ...(text.trim() === '' ? [] : ['comment']),
    ...(files.length === 0 ? [] : ['attach']),
    ...(step === undefined ? [] : [verbOf(step)]),
    ...(flags.length === 0 ? [] : ['ask']),
    ...(hours === '' ? [] : ['add hours']),
  ]
  if (deeds.length === 0) return 'Comment'
  const last = deeds.length > 1 ? ` and ${deeds.at(-1)}` : ''
  const all = (last === '' ? (deeds[0] as string) : deeds.slice(0, -1).join(', ')) + last
  return (all[0]?.toUpperCase() ?? '') + all.slice(1)
}

const VERBS: Readonly<Record<string, string>> = { RESOLVED: 'resolve', VERIFIED: 'verify', CLOSED: 'close' }

function verbOf(step: NonNullable<Composed['step']>) {
  if (step.isDuplicate) return 'mark as duplicate'
  if (step.change.status === undefined) return 'change the resolution'
  return VERBS[step.status] ?? (step.isOpen ? `set to ${words(step.status).toLowerCase()}` : 'close')
}

/** What a new comment says about its text. */
export function markdown() {
  return usesMarkdown.value ? { is_markdown: true } : {}
}

/** The same text is sent once, however often it is tried. */
let attempt = { text: '', key: idempotencyKey() }

/** Answers whether everything was sent. What was not sent stays in the composer. */
export async function sendComposed(store: BugStore, whole: Whole): Promise<boolean> {
  try {
    if (!(await sendParts(store, whole))) {
      await store.reload()
      show({
        kind: 'failed',
        text: `Not sent: another user set ${words(store.bug.value?.status ?? '')} meanwhile. Your text is kept; choose the status again.`,
      })
      return false
    }
    await store.reload()
    return true
  } catch (fault) {
    if (isLoginRequired(fault)) isSessionOver.value = true
    else if (fault instanceof NoConnection)
      show({ kind: 'failed', text: 'Not sent. The server does not answer. Your text is kept.' })
    else showFault(fault)
    return false
  }
}

async function sendParts(store: BugStore, { text, isPrivate, step, flags, hours, files }: Whole): Promise<boolean> {
  const hasMore = step !== undefined || flags.length > 0 || hours !== ''
  // Without other changes the text goes with the first file, as one comment.
  const [first, ...others] = files
  if (first !== undefined) {
    await attachFile(store.id, first, { comment: hasMore ? '' : text, isPrivate })
    for (const file of others) await attachFile(store.id, file, { comment: '', isPrivate })
    if (!hasMore) return true
  }
  if (!hasMore) {
    if (attempt.text !== text) attempt = { text, key: idempotencyKey() }
    await post(`/rest/bug/${store.id}/comment`, { comment: text, is_private: isPrivate, ...markdown() }, attempt.key)
    attempt = { text: '', key: idempotencyKey() }
    return true
  }
  const body = {
    ...(text.trim() !== '' && { comment: { body: text, is_private: isPrivate, ...markdown() } }),
    ...step?.change,
    ...(step?.dupeOf !== undefined && { dupe_of: step.dupeOf }),
    ...(flags.length > 0 && { flags: flags.map((flag) => ({ ...flag, new: true })) }),
    ...(hours !== '' && { work_time: Number(hours) }),
  }
  const isAsSeen = () =>
    step === undefined ||
    (store.bug.value?.status === step.from.status && store.bug.value?.resolution === step.from.resolution)
  return putUnlessChanged(store, () => body, isAsSeen)
}
