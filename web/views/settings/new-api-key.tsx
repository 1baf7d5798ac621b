import { useState } from 'preact/hooks'
import { post } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

export interface CreatedKey {
  description: string
  /** The secret. */
  api_key: string
}

const SCOPES = new Map([
  ['read', 'Read what you may see'],
  ['write', 'File and change bugs, comment, attach'],
  ['propose', 'Propose to file and change bugs, to comment and to attach: nothing happens until somebody accepts it'],
  ['admin', 'Change your account and its keys, and administer what you may'],
])

const ON_A_DAY = 'day'
const NEVER = 'never'
const ENDS = [
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
  { value: ON_A_DAY, name: 'On a day that you choose' },
  { value: NEVER, name: 'Never' },
]

interface Props {
  who: Me
  onCreated(key: CreatedKey): void
  onClose(): void
}

export function NewApiKey({ who, onCreated, onClose }: Props) {
  const [description, setDescription] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(['read']))
  const [end, setEnd] = useState('90')
  const [day, setDay] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    const expiry = end === NEVER ? {} : { expires_at: endTime(end, day) }
    onCreated(await post('/user/:user/api_key', { user: who.id, description, scopes: [...scopes], ...expiry }))
  })
  return (
    <form class="card stack recovery" aria-label="Create an API key" onSubmit={submit}>
      <TextField
        label="Description"
        value={description}
        onText={setDescription}
        hint="What the key is for, such as “nightly report”."
        isNeeded
        isFocused
      />
      <Scopes chosen={scopes} onChoice={setScopes} />
      <SelectField label="It ends" value={end} options={ENDS} onChoice={setEnd} />
      {end === ON_A_DAY && <TextField label="Last day" type="date" value={day} onText={setDay} isNeeded isFocused />}
      <FormFault text={fault?.message} />
      <div class="factor-buttons">
        <Button
          kind="primary"
          type="submit"
          isBusy={isBusy}
          unavailable={scopes.size === 0 ? 'Choose what the key may do first' : undefined}
        >
          Create the key
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function Scopes({ chosen, onChoice }: { chosen: ReadonlySet<string>; onChoice(scopes: ReadonlySet<string>): void }) {
  const toggle = (scope: string) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    onChoice(next)
  }
  return (
    <fieldset class="stack rights">
      <legend class="label">What it may do</legend>
      {[...SCOPES].map(([scope, words]) => (
        <label key={scope} class="checkbox-label">
          <input class="checkbox" type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
          <span>
            {words} <span class="faint">{scope}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** So many days from now, or the end of a day in the reader's time zone. */
function endTime(end: string, day: string): string {
  const time = end === ON_A_DAY ? new Date(`${day}T23:59:59`) : new Date()
  if (end !== ON_A_DAY) time.setDate(time.getDate() + Number(end))
  return `${time.toISOString().slice(0, 19)}Z`
}
