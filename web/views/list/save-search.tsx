import { useState } from 'preact/hooks'
import { searchOf } from '../../addresses.ts'
import { get, post, put, RestError } from '../../core/rest.ts'
import { query } from '../../core/router.ts'
import { me } from '../../core/session.ts'
import { show } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'

const DAYS = [
  ['', 'Never'],
  ['All', 'Every day'],
  ['MF', 'Monday to Friday'],
  ['Mon', 'Mondays'],
  ['Tue', 'Tuesdays'],
  ['Wed', 'Wednesdays'],
  ['Thu', 'Thursdays'],
  ['Fri', 'Fridays'],
  ['1', 'The first of the month'],
  ['last', 'The last of the month'],
].map(([value = '', name = '']) => ({ value, name }))

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), name: `${hour}:00 UTC` }))

/** A search under a name: for oneself, for a group, by mail. */
export function SaveSearch({ title, onClose }: { title: string; onClose(): void }) {
  const [name, setName] = useState(title.replace(/[<>&]/g, ' ').slice(0, 64))
  const [group, setGroup] = useState('')
  const [day, setDay] = useState('')
  const [hour, setHour] = useState('8')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await store(name.trim(), group)
      if (day !== '') await mail(name.trim(), day, hour)
      show({ kind: 'done', text: `“${name.trim()}” is saved${day === '' ? '' : ', and will be mailed to you'}.` })
      onClose()
    } catch (fault) {
      setError((fault as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="Save this search"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Do not save</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField label="Name" isNeeded value={name} onText={setName} error={error} />
      <SelectField
        label="Share with"
        hint="Members find it in their list of searches. Everybody sees only the bugs that they may see."
        value={group}
        options={[
          { value: '', name: 'Only me' },
          ...(me.value?.groups ?? []).map((it) => groupName(it)).map((it) => ({ value: it, name: it })),
        ]}
        onChoice={setGroup}
      />
      <SelectField label="Mail it to me" value={day} options={DAYS} onChoice={setDay} />
      {day !== '' && <SelectField label="At" value={hour} options={HOURS} onChoice={setHour} />}
    </Dialog>
  )
}

function groupName(group: unknown): string {
  return typeof group === 'string' ? group : (group as { name: string }).name
}

const FAILED = 32000

/** Saves the search; one of the same name is replaced. */
async function store(name: string, group: string) {
  const search = { name, query: searchOf(query.value).toString() || 'quicksearch=ALL', shared_with: group }
  try {
    await post('/rest/saved_search', group === '' ? { name, query: search.query } : search)
  } catch (fault) {
    const id = fault instanceof RestError && fault.code === FAILED ? await idOf(name) : undefined
    if (id === undefined) throw fault
    await put(`/rest/saved_search/${id}`, search)
  }
}

async function idOf(name: string): Promise<number | undefined> {
  const { saved_searches: saved } = await get<{ saved_searches: { id: number; name: string }[] }>(
    '/rest/saved_search?shared=false',
  )
  return saved.find((it) => it.name.toLowerCase() === name.toLowerCase())?.id
}

async function mail(search: string, day: string, time: string) {
  await post('/rest/scheduled_mail', { subject: search, searches: [{ search }], schedules: [{ day, time }] })
}
