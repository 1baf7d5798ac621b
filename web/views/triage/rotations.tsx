import { useState } from 'preact/hooks'
import type { AnswerAt } from '../../../client/call-types.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { personBy } from '../../core/bugs/people.ts'
import { post, put, remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { beginningOf, dayOf } from '../../core/times.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { peopleLike } from '../../parts/options.ts'
import { nameOf } from '../../parts/person.tsx'
import { Refused } from '../../parts/states.tsx'
import { ListField } from '../file/list-field.tsx'

export const ROTATIONS_CALL = addressOf('/rotation')
type Rotation = AnswerAt<typeof ROTATIONS_CALL>['rotations'][number]

/** For administrators of products: people who take turns. */
export function Rotations() {
  const { body, fault, reload } = useData(ROTATIONS_CALL)
  const [edited, setEdited] = useState<Rotation | 'new'>()
  return (
    <section class="section" aria-label="Rotations">
      <div class="section-head">
        <h2>Rotations</h2>
        <div class="align-end">
          <Button size="small" icon="plus" onClick={() => setEdited('new')}>
            New rotation…
          </Button>
        </div>
      </div>
      {fault !== undefined && body === undefined && <Refused fault={fault} retry={reload} />}
      {body?.rotations.length === 0 && (
        <p class="card empty-line">People who take turns, for queues and components. Nobody takes turns yet.</p>
      )}
      {(body?.rotations.length ?? 0) > 0 && (
        <ul class="card rows">
          {body?.rotations.map((rotation) => (
            <li key={rotation.id} class="row triage-queue">
              <span class="grow">
                <b dir="auto">{rotation.name}</b>
                <span class="faint small">
                  {' '}
                  each {rotation.period}: <bdi>{rotation.users.map(nameOf).join(', ')}</bdi>. Now:{' '}
                  <bdi>{rotation.turns[0]?.person == null ? 'nobody' : nameOf(rotation.turns[0].person)}</bdi>
                </span>
              </span>
              <Button size="small" onClick={() => setEdited(rotation)}>
                Change<span class="visually-hidden"> {rotation.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <RotationForm
          rotation={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={reload}
        />
      )}
    </section>
  )
}

const PERIODS = ['day', 'week', 'two weeks'].map((period) => ({ value: period, name: `Each ${period}` }))

interface FormProps {
  rotation: Rotation | undefined
  onClose(): void
  onSaved(): void
}

function RotationForm({ rotation, onClose, onSaved }: FormProps) {
  const [name, setName] = useState(rotation?.name ?? '')
  const [users, setUsers] = useState(rotation?.users.map((it) => it.name).join(', ') ?? '')
  const [period, setPeriod] = useState(rotation?.period ?? 'week')
  const [day, setDay] = useState(() => dayOf(rotation?.start ?? new Date().toISOString()))
  const [hour, setHour] = useState('9')
  const [isTimeChanged, setTimeChanged] = useState(rotation === undefined)
  const zone = rotation?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const done = () => {
    onSaved()
    onClose()
  }
  const save = () => {
    const start = new Date(Date.parse(beginningOf(day)) + Number(hour) * 3_600_000).toISOString()
    const logins = users.split(/[\s,]+/).filter((login) => login !== '')
    const wanted = { name, users: logins, period, time_zone: zone, ...(isTimeChanged && { start }) }
    const change = () =>
      rotation === undefined
        ? post('/rotation', wanted)
        : put('/rotation/:rotation', { rotation: rotation.name, ...wanted })
    return showResult(change, `The rotation “${name}” is saved.`, done)
  }
  const forget = () =>
    showResult(
      () => remove('/rotation/:rotation', { rotation: rotation?.name ?? '' }),
      `The rotation “${rotation?.name}” is deleted.`,
      done,
    )
  return (
    <Dialog
      title={rotation === undefined ? 'New rotation' : 'Rotation'}
      onClose={onClose}
      buttons={
        <>
          {rotation !== undefined && (
            <Button kind="danger" onClick={() => void forget()}>
              Delete it
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void save()}>
            Save the rotation
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
        <ListField
          label="People, in the order of their turns"
          value={users}
          onValue={setUsers}
          options={(text) => peopleLike(text, rotation?.users)}
          error={undefined}
          placeholder="Add a person"
          isNeeded
          show={(login) => nameOf(rotation?.users.find(({ name }) => name === login) ?? personBy(login))}
        />
        <p class="hint">Who is away or disabled is skipped.</p>
        <SelectField label="A turn takes" value={period} options={PERIODS} onChoice={setPeriod} />
        <TextField
          label="First turn"
          type="date"
          value={day}
          onText={(text) => {
            setDay(text)
            setTimeChanged(true)
          }}
        />
        <TextField
          label="Turns begin at the hour"
          type="number"
          value={hour}
          onText={(text) => {
            setHour(text)
            setTimeChanged(true)
          }}
          hint={`By the clock of ${zone}.`}
        />
      </form>
    </Dialog>
  )
}
