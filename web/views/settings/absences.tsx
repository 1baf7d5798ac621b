import { useState } from 'preact/hooks'
import { type Absence, absenceInWords, absencesCall } from '../../core/account/absences.ts'
import { me } from '../../core/account/session.ts'
import { post, remove } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { beginningOf, dayOf } from '../../core/times.ts'
import { showFault, showResult, showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Refused } from '../../parts/states.tsx'

/** When the reader is away: others see it, and rotations skip them. */
export function Absences() {
  const { body, fault, reload } = useData(absencesCall(me.value?.id ?? 0))
  const forget = async ({ id, from, until, note }: Absence) => {
    try {
      await remove('/absence/:id', { id })
      const restore = async () => {
        await post('/absence', { from, until, note })
        reload()
      }
      showToast({
        kind: 'done',
        text: 'The absence is deleted.',
        action: { name: 'Undo', run: () => void restore().catch(showFault) },
      })
      reload()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <section class="stack" aria-label="Away">
      <h2>Away</h2>
      {fault !== undefined && body === undefined && <Refused fault={fault} retry={reload} />}
      {(body?.absences ?? []).length > 0 && (
        <ul class="card rows">
          {body?.absences.map((absence) => (
            <li key={absence.id} class="row">
              <span class="grow">
                {absence.is_now ? 'You are away ' : 'You will be away '}
                {absenceInWords(absence)}
                {absence.note !== '' && (
                  <span class="faint">
                    {': '}
                    <bdi>{absence.note}</bdi>
                  </span>
                )}
              </span>
              <Button size="small" onClick={() => void forget(absence)}>
                Delete<span class="visually-hidden"> {absenceInWords(absence)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewAbsence onCreated={reload} />
    </section>
  )
}

function NewAbsence({ onCreated }: { onCreated(): void }) {
  const [first, setFirst] = useState(() => dayOf(new Date().toISOString()))
  const [last, setLast] = useState('')
  const [note, setNote] = useState('')
  const save = (event: Event) => {
    event.preventDefault()
    const create = () => post('/absence', { from: beginningOf(first), until: beginningOf(last, 1), note })
    return showResult(create, 'Others see when you are away.', () => {
      setLast('')
      setNote('')
      onCreated()
    })
  }
  return (
    <form class="stack" aria-label="New absence" onSubmit={save}>
      <div class="row wrap">
        <TextField label="First day" type="date" value={first} onText={setFirst} isNeeded />
        <TextField label="Last day" type="date" value={last} onText={setLast} isNeeded />
      </div>
      <TextField
        label="Note"
        value={note}
        onText={setNote}
        hint="Optional, such as who stands in for you. Everybody who sees you sees it."
      />
      <div>
        <Button type="submit">Note that I am away</Button>
      </div>
    </form>
  )
}
