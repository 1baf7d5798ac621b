import { draftNames, dropDraft } from '../../../core/drafts/drafts.ts'
import { keepComposer, readComposer } from '../composer/composer-draft.ts'
import { isEditDraftOf } from '../stream/edit-draft.ts'

/** For a bug that its reader may no longer see: what was copied from it goes, and what they wrote themselves stays. */
export function forgetCopied(id: number) {
  const isCopy = (name: string) => isEditDraftOf(name, id) || name === `file clone ${id}`
  for (const name of draftNames().filter(isCopy)) dropDraft(name)
  const draft = readComposer(id)
  const own = draft.text.split('\n').filter((line) => !line.startsWith('>'))
  keepComposer(id, { ...draft, text: own.join('\n').trim() })
}
