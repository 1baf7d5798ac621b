import { useState } from 'preact/hooks'
import { SAVED_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { reasonWithoutFunction } from '../../../shared/system-group-names.ts'
import { me } from '../../core/account/session.ts'
import { get, post, put, remove } from '../../core/server/rest.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Combobox, matchingOptions, type Option } from '../../parts/combobox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextField } from '../../parts/field.tsx'
import { ROTATIONS_CALL } from './rotations.tsx'

/** A queue as administrators of products get it. */
export interface EditedQueue {
  name: string
  query?: string
  group: string
  rotation: { name: string } | null
  aim_days: number | null
}

interface Props {
  queue: EditedQueue | undefined
  onClose(): void
  onSaved(): void
}

/** For administrators of products: a new queue, or one that is there. */
export function QueueForm({ queue, onClose, onSaved }: Props) {
  const [name, setName] = useState(queue?.name ?? '')
  const [query, setQuery] = useState(queue?.query ?? '')
  const [group, setGroup] = useState(queue?.group ?? '')
  const [rotation, setRotation] = useState(queue?.rotation?.name ?? '')
  const [aim, setAim] = useState(String(queue?.aim_days ?? ''))
  const done = () => {
    onSaved()
    onClose()
  }
  const save = () => {
    const wanted = { name, query, group, rotation, aim_days: Number(aim) }
    const change = () =>
      queue === undefined ? post('/triage', wanted) : put('/triage/:queue', { queue: queue.name, ...wanted })
    return showResult(change, `The queue “${name}” is saved.`, done)
  }
  const forget = () =>
    showResult(
      () => remove('/triage/:queue', { queue: queue?.name ?? '' }),
      `The queue “${queue?.name}” is deleted. Its bugs stay as they are.`,
      done,
    )
  return (
    <Dialog
      title={queue === undefined ? 'New queue' : 'Queue'}
      onClose={onClose}
      buttons={
        <>
          {queue !== undefined && (
            <Button kind="danger" onClick={() => void forget()}>
              Delete it
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void save()}>
            Save the queue
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField label="Name" value={name} onText={setName} isNeeded isFocused />
        <CompletedField
          label="Search"
          value={query}
          onText={setQuery}
          options={savedSearches}
          isNeeded
          hint="A saved search, or the address of a list of bugs, or the part of it after the question mark. Later changes of the saved search do not change the queue."
        />
        <CompletedField
          label="Group whose members work in it"
          value={group}
          onText={setGroup}
          options={groups}
          isNeeded
        />
        <CompletedField
          label="Rotation"
          value={rotation}
          onText={setRotation}
          options={rotations}
          hint="Empty for none."
        />
        <TextField label="Days that a bug should wait at most" type="number" value={aim} onText={setAim} />
      </form>
    </Dialog>
  )
}

interface CompletedProps {
  label: string
  value: string
  onText(value: string): void
  options(): Promise<readonly Option[]>
  isNeeded?: boolean
  hint?: string
}

/** A text for which values are offered that are there; any other text may be typed, and the server says if there is no such value. */
function CompletedField({ label, value, onText, options, isNeeded, hint }: CompletedProps) {
  return (
    <Field label={label} {...(isNeeded && { isNeeded })} {...(hint !== undefined && { hint })}>
      {(ids) => (
        <Combobox
          {...ids}
          label={label}
          value={value}
          isFree
          onText={onText}
          options={async (text) => matchingOptions(await options(), text)}
          onChoice={(option) => onText(option.value)}
        />
      )}
    </Field>
  )
}

async function savedSearches(): Promise<readonly Option[]> {
  const { saved_searches: searches } = await get(SAVED_CALL)
  return searches.map(({ name, query, owner }) => ({ value: query, name, note: owner }))
}

/** Those that the reader may list; who may list none gets their own. */
async function groups(): Promise<readonly Option[]> {
  const own = (me.value?.groups ?? []).map((name) => ({ name, description: '' }))
  const { groups: all } = await get(addressOf('/group', { include_fields: 'name,description' })).catch(() => ({
    groups: own,
  }))
  return all
    .filter(({ name }) => reasonWithoutFunction(name) === undefined)
    .map(({ name, description }) => ({ value: name, name, note: description }))
}

async function rotations(): Promise<readonly Option[]> {
  const { rotations: all } = await get(ROTATIONS_CALL)
  return all.map(({ name, users }) => ({ value: name, name, note: `${users.length} take turns` }))
}
