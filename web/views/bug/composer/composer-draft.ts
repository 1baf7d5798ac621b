// What is written about a bug and not sent yet. It is kept in this browser.
import { dropDraft, keepDraft, readDraft } from '../../../core/drafts/drafts.ts'
import { type ComposerExtras, NO_EXTRAS } from './composed.ts'
import type { CommentDraft } from './send.ts'

/** The whole composer: its text, what goes with it, and the names of its files. */
export interface ComposerDraft extends CommentDraft {
  composed: ComposerExtras
  fileNames: readonly string[]
}

export function composerDraftName(id: number) {
  return `bug ${id} comment`
}

export function readComposer(id: number): ComposerDraft {
  const kept = readDraft<Partial<ComposerDraft>>(composerDraftName(id))
  return { text: '', isPrivate: false, fileNames: [], ...kept, composed: { ...NO_EXTRAS, ...kept?.composed } }
}

export function keepComposer(id: number, draft: ComposerDraft) {
  const { text, composed, fileNames } = draft
  const isEmpty = text === '' && fileNames.length === 0 && isNothing(composed)
  if (isEmpty) dropDraft(composerDraftName(id))
  else keepDraft(composerDraftName(id), draft)
}

function isNothing({ step, flags, hours }: ComposerExtras) {
  return step === undefined && flags.length === 0 && hours === ''
}
