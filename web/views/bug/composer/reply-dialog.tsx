import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import { showFault } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { bestFirst } from '../../../parts/matching.ts'
import { useBug } from '../use-bug.ts'

export interface ChosenReply {
  text: string
  isPrivate: boolean
}

interface Props {
  onChoice(reply: ChosenReply): void
  onClose(): void
}

/** The canned replies of the product and of all products, found by their names. */
export function ReplyDialog({ onChoice, onClose }: Props) {
  const { product } = useBug()
  const [replies, setReplies] = useState<readonly { id: number; name: string; text: string; is_private: boolean }[]>()
  useEffect(() => {
    get(addressOf('/canned_reply', { product })).then(
      (answer) => setReplies(answer.canned_replies),
      (fault: unknown) => {
        showFault(fault)
        onClose()
      },
    )
  }, [])
  return (
    <Dialog title="Insert a canned reply" onClose={onClose} buttons={<Button onClick={onClose}>Cancel</Button>}>
      {replies?.length === 0 && <p class="faint">There are no canned replies for bugs of {product}.</p>}
      {replies !== undefined && replies.length > 0 && (
        <Combobox
          label="Canned reply"
          value=""
          placeholder="Its name"
          options={(text) =>
            bestFirst(replies, text, ({ name }) => [name]).map(({ id, name, text: inserted }) => ({
              value: String(id),
              name,
              note: inserted.split('\n')[0] ?? '',
            }))
          }
          onChoice={({ value }) => {
            const chosen = replies.find(({ id }) => String(id) === value)
            if (chosen !== undefined) onChoice({ text: chosen.text, isPrivate: chosen.is_private })
          }}
          hasFocus
        />
      )}
    </Dialog>
  )
}
