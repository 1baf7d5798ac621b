import { useEffect, useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { type Change, planCalls } from './change-draft.ts'
import { ChangedValue } from './changed-value.tsx'
import { EffectList } from './effect-list.tsx'
import {
  type ChangedObject,
  type Effect,
  type Effects,
  effectsInWords,
  type NamedObject,
  refusalInWords,
} from './effects-in-words.ts'

interface Props {
  changes: readonly Change[]
  nameOf(object: ChangedObject): NamedObject | undefined
  /** Further sentences. */
  more?: ((effects: Effects) => Effect[]) | undefined
  onSave(): void
  onClose(): void
}

/** What the changes would do, from a dry run. */
export function PreviewDialog({ changes, nameOf, more, onSave, onClose }: Props) {
  const [effects, setEffects] = useState<readonly Effect[]>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    const calls = planCalls(changes)
    put('/admin/changes', { changes: calls.map(({ call }) => call), dry_run: true }).then(
      ({ effects }) => setEffects([...effectsInWords(effects, nameOf), ...(more?.(effects) ?? [])]),
      (fault) =>
        setRefusal(
          refusalInWords(
            fault.message,
            calls.map(({ titles }) => titles),
          ),
        ),
    )
  }, [])
  return (
    <Dialog
      title="What happens"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            kind={changes.some(({ isFinal }) => isFinal) ? 'danger' : 'primary'}
            unavailable={refusal}
            onClick={onSave}
          >
            {changes.length === 1 ? 'Save 1 change' : `Save ${changes.length} changes`}
          </Button>
        </>
      }
    >
      <ul class="change-list">
        {changes.map((change) => (
          <li key={change.key}>
            <bdi>{change.title}</bdi>: <ChangedValue {...change} />
          </li>
        ))}
      </ul>
      <div aria-live="polite" aria-busy={effects === undefined && refusal === undefined}>
        {effects === undefined && refusal === undefined && <p class="faint">Counting…</p>}
        {refusal !== undefined && (
          <p class="error">
            <Icon name="warn" size="small" />
            It would be refused. {refusal}
          </p>
        )}
        {effects !== undefined && <EffectList effects={effects} />}
      </div>
    </Dialog>
  )
}
