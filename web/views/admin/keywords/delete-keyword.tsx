import { useEffect, useState } from 'preact/hooks'
import { showToast } from '../../../core/toasts.ts'
import { FormFault } from '../../../parts/account/account-page.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeOne, type Effects, effectsOf, refusalOf } from '../change-one.ts'
import type { Keyword } from './keyword.ts'

interface Props {
  keyword: Keyword
  version: number
  onClose(): void
  onDeleted(): void
}

/** What happens is counted before one decides, because it cannot be undone. */
export function DeleteKeyword({ keyword: { id, name }, version, onClose, onDeleted }: Props) {
  const [effects, setEffects] = useState<Effects>()
  const [refusal, setRefusal] = useState<string>()
  const change = { method: 'DELETE', path: `/rest/keyword/${id}`, params: {} } as const
  useEffect(() => {
    effectsOf(change).then(setEffects, (fault) => setRefusal(refusalOf(fault)))
  }, [])
  const { submit, isBusy, fault } = useSubmit(async () => {
    try {
      await changeOne(change, version)
    } catch (reason) {
      throw new Error(refusalOf(reason))
    }
    showToast({ kind: 'done', text: `“${name}” is deleted.` })
    onClose()
    onDeleted()
  })
  const bugs = effects?.changes[0]?.bugs
  return (
    <Dialog
      title={`Delete “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={isBusy} onClick={(event) => void submit(event)}>
            Delete the keyword
          </Button>
        </>
      }
    >
      <p role="status">
        {effects === undefined && refusal === undefined && 'Counting…'}
        {effects !== undefined && (bugs === undefined ? 'Bugs that have it lose it.' : lossInWords(bugs))}
      </p>
      <p>
        Their history keeps it. This cannot be undone; to stop it from being used, describe it as old instead. Searches
        for it find nothing any more.
      </p>
      <FormFault text={fault?.message ?? refusal} />
    </Dialog>
  )
}

function lossInWords(bugs: number) {
  if (bugs === 0) return 'No bug has it.'
  return bugs === 1 ? '1 bug loses it.' : `${bugs.toLocaleString()} bugs lose it.`
}
