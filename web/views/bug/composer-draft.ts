// What is written about a bug and not sent yet. It is kept in this browser.
import { dropDraft, keepDraft, readDraft } from '../../core/drafts.ts'
import { type Composed, NOTHING_COMPOSED } from './composed.ts'
import type { Draft } from './send.ts'

/** The whole composer: its text, what goes with it, and the names of its files. */
export interface ComposerDraft extends Draft {
  composed: Composed
  fileNames: readonly string[]
}

function nameOf(id: number) {
  return `bug ${id} comment`
}

export function readComposer(id: number): ComposerDraft {
  const kept = readDraft<Partial<ComposerDraft>>(nameOf(id))
  return { text: '', isPrivate: false, fileNames: [], ...kept, composed: { ...NOTHING_COMPOSED, ...kept?.composed } }
}

export function keepComposer(id: number, draft: ComposerDraft) {
  const { text, composed, fileNames } = draft
  const isEmpty = text === '' && fileNames.length === 0 && isNothing(composed)
  if (isEmpty) dropDraft(nameOf(id))
  else keepDraft(nameOf(id), draft)
}

function isNothing({ step, flags, hours }: Composed) {
  return step === undefined && flags.length === 0 && hours === ''
}
