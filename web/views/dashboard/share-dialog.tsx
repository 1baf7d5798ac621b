import { useState } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import { showToast } from '../../core/toasts.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormEnd } from '../../parts/form-end.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Dashboard } from './tiles.ts'

interface Props {
  dashboard: Dashboard
  save(changes: { name: string; shared_with: string[] }): Promise<void>
  onClose(): void
}

/** The name of a dashboard, and the groups whose members may read it. */
export function ShareDialog({ dashboard, save, onClose }: Props) {
  const [name, setName] = useState(dashboard.name)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(dashboard.shared_with))
  const groups = [...new Set([...dashboard.shared_with, ...(me.value?.groups ?? [])])].sort()
  const { submit, isBusy, fault } = useSubmit(async () => {
    await save({ name, shared_with: [...chosen] })
    showToast({ kind: 'done', text: 'The dashboard is saved.' })
    onClose()
  })
  return (
    <Dialog title="Name and sharing" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" isNeeded value={name} onText={setName} isFocused />
        <fieldset class="share-groups">
          <legend>Who else may read it</legend>
          <p class="hint">
            Members see titles and searches of the tiles. Everybody counts only the bugs that they may see.
          </p>
          {groups.length === 0 && <p class="muted">You are in no group.</p>}
          {groups.map((group) => (
            <label key={group} class="row">
              <input
                type="checkbox"
                checked={chosen.has(group)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen((before) => (checked ? new Set([...before, group]) : before.difference(new Set([group]))))
                }
              />
              <span dir="auto">{group}</span>
            </label>
          ))}
        </fieldset>
        <FormEnd fault={fault} action="Save" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
