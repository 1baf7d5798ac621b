import { useState } from 'preact/hooks'
import { type Factor, kindOf } from '../../core/account/factors.ts'
import { put } from '../../core/server/rest.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Times } from './times.tsx'

interface RowProps {
  factor: Factor
  onRenamed(): void
  onRemove(): void
}

export function FactorRow({ factor, onRenamed, onRemove }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { kind, name, created_at, last_used } = factor
  return (
    <li class="search-row">
      <Icon name={kind === 'passkey' ? 'key' : 'lock'} />
      <div class="grow">
        <b dir="auto">{name}</b> <span class="faint small">{kindOf(factor)}</span>
        <Times verb="added" created={created_at} lastUsed={last_used} />
      </div>
      <span class="row">
        <Button size="small" onClick={() => setOpen(true)}>
          Rename<span class="visually-hidden"> {name}</span>
        </Button>
        <Button size="small" onClick={onRemove}>
          Remove<span class="visually-hidden"> {name}</span>
        </Button>
      </span>
      {isOpen && <RenameFactor factor={factor} onDone={onRenamed} onClose={() => setOpen(false)} />}
    </li>
  )
}

function RenameFactor({ factor, onDone, onClose }: { factor: Factor; onDone(): void; onClose(): void }) {
  const [name, setName] = useState(factor.name)
  const { submit, isBusy, fault } = useSubmit(async () => {
    await put('/factor/:id', { id: factor.id, name })
    onDone()
    onClose()
  })
  return (
    <Dialog title="Rename the second factor" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField label="Name" value={name} onText={setName} isNeeded isFocused error={fault?.message} />
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Save the name
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
