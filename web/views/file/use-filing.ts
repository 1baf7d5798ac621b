import { useEffect, useState } from 'preact/hooks'
import { keepDraftFiles } from '../../core/drafts/draft-files.ts'
import { dropDraft, keepDraft } from '../../core/drafts/drafts.ts'
import { useDraftFiles } from '../../core/drafts/use-draft-files.ts'
import { bugAddress, go } from '../../core/router.ts'
import { isLoginRequired, isSessionOver, NoConnection, post, RestError } from '../../core/server/rest.ts'
import type { Field } from '../../core/server/types.ts'
import { showToast } from '../../core/toasts.ts'
import { withoutPicture } from '../../parts/text/picture-words.ts'
import { composerDraftName } from '../bug/composer/composer-draft.ts'
import { type NewFile, newFile, sendFiles } from './attachments.tsx'
import { anotherLike, bodyOf, emptyBug, isEmpty, keyOf, type NewBug } from './new-bug.ts'
import { currentFilingAddress } from './prefill.ts'

/** What the server refused, and the field that it is about. */
export interface RefusedFiling {
  message: string
  field: string | undefined
}

/** The bug that is written, its files, and the steps of filing it: first the bug, then each file. */
export function useFiling(draftName: string, first: () => NewBug) {
  const [bug, setBug] = useState(first)
  const [files, setFiles] = useState<readonly NewFile[]>([])
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<RefusedFiling>()
  const [filed, setFiled] = useState<number>()
  useEffect(() => {
    if (isEmpty(bug)) dropDraft(draftName)
    else keepDraft(draftName, { ...bug, address: currentFilingAddress() })
  }, [bug])
  // Once the bug is filed, files that are not attached yet wait in the composer of its page.
  const filesDraft = filed === undefined ? draftName : composerDraftName(filed)
  const unsent = files.filter(({ state }) => state !== 'sent').map(({ file }) => file)
  const { areKept } = useDraftFiles(filesDraft, unsent, (kept) => setFiles((now) => [...kept.map(newFile), ...now]))

  const change = (next: NewBug) => {
    setRefusal(undefined)
    setBug(next)
  }
  const attach = async (id: number, isAnother: boolean) => {
    setBusy(true)
    const replace = (changed: NewFile) =>
      setFiles((last) => last.map((it) => (it.file === changed.file ? changed : it)))
    const isWhole = await sendFiles(id, { files, text: bug.description }, replace)
    setBusy(false)
    if (!isWhole) return
    void keepDraftFiles(composerDraftName(id), [])
    showToast({
      kind: 'done',
      text: `Bug ${id} is filed.`,
      ...(isAnother && { action: { name: 'Look', run: () => go(bugAddress(id)) } }),
    })
    if (!isAnother) return go(bugAddress(id))
    setFiled(undefined)
    setFiles([])
    setBug(anotherLike(bug))
  }
  const file = async (custom: readonly Field[], isAnother: boolean) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = bodyOf(bug, custom)
      const { id } = await post('/bug', body, keyOf(bug, body))
      // From here on the bug exists: nothing of it may be filed again.
      dropDraft(draftName)
      if (files.length > 0) {
        setFiled(id)
        void keepDraftFiles(draftName, [])
      }
      await attach(id, isAnother)
    } catch (fault) {
      setRefusal(refusalOf(fault))
      setBusy(false)
    }
  }
  const discard = () => {
    change(emptyBug())
    setFiles([])
    const undo = () => {
      setBug(bug)
      setFiles(files)
    }
    showToast({ kind: 'done', text: 'The draft is discarded.', action: { name: 'Undo', run: undo } })
  }
  const addFiles = (added: readonly File[]) => setFiles((last) => [...last, ...added.map(newFile)])
  const removeFile = (file: NewFile) => {
    setFiles((last) => last.filter((it) => it !== file))
    setBug((last) => ({ ...last, description: withoutPicture(last.description, file.file) }))
  }
  return { bug, change, files, areKept, addFiles, removeFile, isBusy, refusal, filed, file, attach, discard }
}

function refusalOf(fault: unknown): RefusedFiling {
  if (isLoginRequired(fault)) isSessionOver.value = true
  if (fault instanceof NoConnection)
    return { message: 'The server does not answer. The draft is kept; try again, it is filed once.', field: undefined }
  const { message } = fault as Error
  return { message, field: fault instanceof RestError ? fieldOf(fault) : undefined }
}

/** A parameter has the name of its field, or of a part of it, such as `flags.requestee`. */
function fieldOf({ field, parameter }: RestError): string | undefined {
  return field ?? parameter?.split('.')[0]
}
