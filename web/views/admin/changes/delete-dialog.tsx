import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FieldError, TextField } from '../../../parts/field.tsx'
import { refusalOf } from '../change-one.ts'
import type { ChangeCall } from './change-draft.ts'
import { EffectList } from './effect-list.tsx'
import { type ChangedObject, type Effect, effectsInWords, type NamedObject } from './effects-in-words.ts'

interface Props {
  /** What is deleted, such as `product`. */
  what: string
  name: string
  /** The calls that delete it, in their order. */
  calls: readonly ChangeCall[]
  nameOf(object: ChangedObject): NamedObject | undefined
  /** `isGoingOn`: its bugs are so many that they are deleted some at a time, and it after them. */
  onDone(isGoingOn: boolean): void
  onClose(): void
}

/** Deleting cannot be undone: it says what goes with it, and the name is typed. It does not wait in the bar. */
export function DeleteDialog({ what, name, calls, nameOf, onDone, onClose }: Props) {
  const [effects, setEffects] = useState<readonly Effect[]>()
  const [refusal, setRefusal] = useState<string>()
  const [typed, setTyped] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const refuse = (fault: unknown) => setRefusal(refusalOf(fault))
  useEffect(() => {
    put('/admin/changes', { changes: [...calls], dry_run: true }).then(
      (answer) => setEffects(effectsInWords(answer.effects, nameOf)),
      refuse,
    )
  }, [])
  // The field that had the focus is gone.
  useLayoutEffect(() => {
    if (refusal !== undefined) form.current?.querySelector('button')?.focus()
  }, [refusal])
  const remove = async (event: Event) => {
    event.preventDefault()
    if (typed.trim() !== name || isBusy || refusal !== undefined) return
    setBusy(true)
    try {
      const { responses } = await put('/admin/changes', { changes: [...calls] })
      onClose()
      onDone(responses.some((it) => 'removal' in it))
    } catch (fault) {
      refuse(fault)
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Delete the ${what} ${name}?`} onClose={onClose}>
      <form ref={form} class="stack" onSubmit={remove}>
        {refusal === undefined && <p>This cannot be undone.</p>}
        <div aria-live="polite" aria-busy={effects === undefined && refusal === undefined}>
          {effects === undefined && refusal === undefined && <p class="faint">Counting…</p>}
          {effects !== undefined && <EffectList effects={effects} />}
        </div>
        {refusal !== undefined && <FieldError error={refusal} />}
        {refusal === undefined && (
          <TextField label="Type its name" hint={name} isNeeded isFocused value={typed} onText={setTyped} />
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{refusal === undefined ? 'Cancel' : 'Close'}</Button>
          {refusal === undefined && (
            <Button
              kind="danger"
              type="submit"
              isBusy={isBusy}
              unavailable={typed.trim() === name ? undefined : `Type ${name} first.`}
            >
              Delete it
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
