import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeOne, refusalOf } from '../change-one.ts'
import type { Reply } from './canned-reply.ts'

interface Props {
  reply: Reply
  version: number
  onClose(): void
  onSaved(): void
}

export function DeleteReply({ reply: { id, name }, version, onClose, onSaved }: Props) {
  const { submit, isBusy, fault } = useSubmit(async () => {
    try {
      await changeOne({ method: 'DELETE', path: `/rest/canned_reply/${id}`, params: {} }, version)
    } catch (reason) {
      throw new Error(refusalOf(reason))
    }
    showToast({ kind: 'done', text: `“${name}” is deleted.` })
    onSaved()
    onClose()
  })
  return (
    <Dialog
      title={`Delete “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={isBusy} onClick={(event) => void submit(event)}>
            Delete the canned reply
          </Button>
        </>
      }
    >
      <p>Nobody can use it any more. Comments that were written with it stay as they are. This cannot be undone.</p>
      <FormFault text={fault?.message} />
    </Dialog>
  )
}
