import { useEffect } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { labelOf } from '../properties/field-names.ts'
import { useBug, useBugStore } from '../use-bug.ts'

/** Who sees the bug, and what the reader may do with it: each with its reason. */
export function AccessDialog({ onClose }: { onClose(): void }) {
  const store = useBugStore()
  const bug = useBug()
  useEffect(() => void store.loadAccess(), [])
  const access = store.access.value
  const refused = Object.entries(access?.fields ?? {}).filter(([, { allowed }]) => !allowed)
  const byRule = Map.groupBy(refused, ([, { rule }]) => rule)
  return (
    <Dialog
      title="Who sees this bug, and what you may do"
      onClose={onClose}
      buttons={<Button onClick={onClose}>Close</Button>}
    >
      <p>
        {bug.groups.length === 0 ? (
          'Everybody sees this bug.'
        ) : (
          <>
            Only members of <b>{bug.groups.join(', ')}</b> see this bug, and its assignee and QA contact
            {bug.is_creator_accessible && ', its reporter'}
            {bug.is_cc_accessible && ', the people on its CC list'}.
          </>
        )}
      </p>
      <h3>Why you see it</h3>
      <ul class="access-rules">
        {access?.see.rules.map(({ rule, holds }) => (
          <li key={rule}>
            <Icon name={holds ? 'check' : 'x'} size="small" />
            <span class="visually-hidden">{holds ? 'Yes: ' : 'No: '}</span>
            {rule}
          </li>
        ))}
      </ul>
      <h3>What you may not change</h3>
      {access !== undefined && refused.length === 0 && <p>You may change everything.</p>}
      <ul class="access-rules">
        {[...byRule].map(([rule, entries]) => (
          <li key={rule}>
            <Icon name="x" size="small" />
            <span>
              {entries.map(([name]) => labelOf(name.replace(/\..*/, ''), store.fields.value)).join(', ')}: {rule}.
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
