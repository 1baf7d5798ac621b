import { useState } from 'preact/hooks'
import { groupsToShare, MANY_GROUPS } from '../../core/account/groups-to-share.ts'
import { showToast } from '../../core/toasts.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogEnd } from '../../parts/dialog-end.tsx'
import { TextField } from '../../parts/field.tsx'
import { matching } from '../../parts/matching.ts'
import { PausedShares } from '../../parts/share-badges.tsx'
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
  const { submit, isBusy, fault } = useSubmit(async () => {
    await save({ name, shared_with: [...chosen] })
    showToast({ kind: 'done', text: 'The dashboard is saved.' })
    onClose()
  })
  return (
    <Dialog title="Name and sharing" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" isNeeded value={name} onText={setName} isFocused />
        <PausedShares paused={dashboard.paused_shares} />
        <ShareGroups before={dashboard.shared_with} chosen={chosen} onChange={setChosen} />
        <DialogEnd fault={fault} action="Save" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface GroupsProps {
  before: readonly string[]
  chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}

/** Own groups first, those that give rights last. Many can be found by typing; those that are chosen stay in sight. */
function ShareGroups({ before, chosen, onChange }: GroupsProps) {
  const [text, setText] = useState('')
  const { own, system } = groupsToShare(before)
  const isMany = own.length + system.length > MANY_GROUPS
  const shown = (groups: readonly string[]) =>
    groups.filter((group) => chosen.has(group) || matching([group], text, (name) => [name]).length > 0)
  const [shownOwn, shownSystem] = [shown(own), shown(system)]
  const choices = (groups: readonly string[]) =>
    groups.map((group) => (
      <label key={group} class="row">
        <input
          type="checkbox"
          checked={chosen.has(group)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? new Set([...chosen, group]) : chosen.difference(new Set([group])))
          }
        />
        <span dir="auto">{group}</span>
      </label>
    ))
  return (
    <fieldset class="share-groups">
      <legend>Who else may read it</legend>
      <p class="hint">
        Members see titles and searches of the tiles. Everybody counts only the bugs that they may see.
      </p>
      {isMany && <TextField label="Find a group" value={text} onText={setText} />}
      <div class="share-groups-list">
        {own.length + system.length === 0 && <p class="muted">You are in no group.</p>}
        {choices(shownOwn)}
        {shownSystem.length > 0 && <p class="muted">Groups that give rights</p>}
        {choices(shownSystem)}
        {isMany && shownOwn.length + shownSystem.length === 0 && <p class="muted">Nothing matches.</p>}
      </div>
    </fieldset>
  )
}
