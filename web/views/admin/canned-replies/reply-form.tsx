import { useState } from 'preact/hooks'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Field, TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { changeOne, refusalOf } from '../change-one.ts'
import type { Reply } from './canned-reply.ts'

interface Props {
  /** Undefined for a new one. */
  reply: Reply | undefined
  version: number
  onClose(): void
  onSaved(): void
}

/** A reply of all products: its text, who uses it, and what that means. What is typed stays when it is refused. */
export function ReplyForm({ reply, version, onClose, onSaved }: Props) {
  const [name, setName] = useState(reply?.name ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [group, setGroup] = useState(reply?.group ?? '')
  const [isPrivate, setPrivate] = useState(reply?.is_private ?? false)
  const { submit, isBusy, fault } = useSubmit(async () => {
    const params = { name, text, group, is_private: isPrivate }
    try {
      await (reply === undefined
        ? changeOne({ method: 'POST', path: '/rest/canned_reply', params }, version)
        : changeOne({ method: 'PUT', path: `/rest/canned_reply/${reply.id}`, params }, version))
    } catch (reason) {
      throw new Error(refusalOf(reason))
    }
    showToast({
      kind: 'done',
      text: `The canned reply “${name.trim()}” ${reply === undefined ? 'can be used' : 'is saved'}.`,
    })
    onSaved()
    onClose()
  })
  return (
    <Dialog title={reply === undefined ? 'New canned reply' : `Canned reply “${reply.name}”`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Name"
          isNeeded
          isFocused
          value={name}
          onText={setName}
          hint="By which it is found in comments."
        />
        <Field label="Text" isNeeded>
          {({ id, describedBy }) => (
            <textarea
              id={id}
              class="input"
              aria-describedby={describedBy}
              dir="auto"
              rows={8}
              required
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <TextField
          label="Group"
          hint="Only its members use the reply. Empty for every user."
          value={group}
          onText={setGroup}
        />
        <label class="checkbox-label">
          <input
            type="checkbox"
            class="checkbox"
            checked={isPrivate}
            onChange={(event) => setPrivate(event.currentTarget.checked)}
          />
          Comments with it are private
        </label>
        <p class="hint">{effectInWords({ group: group.trim(), isPrivate, isNew: reply === undefined })}</p>
        <FormFault text={fault?.message} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {reply === undefined ? 'Create the canned reply' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What will happen when it is saved. */
function effectInWords({ group, isPrivate, isNew }: { group: string; isPrivate: boolean; isNew: boolean }) {
  const who = group === '' ? 'Every user who may comment' : `Members of ${group}`
  const readers = isPrivate ? ' Only insiders read these comments.' : ''
  const before = isNew ? '' : ' Comments that were written with it stay as they are.'
  return `${who} can put it into comments on bugs of every product.${readers}${before}`
}
