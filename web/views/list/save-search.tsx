import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { groupsToShare, MANY_GROUPS } from '../../core/account/groups-to-share.ts'
import { DAYS, TIMES } from '../../core/bugs/mail-times.ts'
import { maySchedule, type SavedSearch, type ScheduledMail } from '../../core/bugs/saved-searches.ts'
import { get, isRefusedFor, post, put, remove } from '../../core/server/rest.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Combobox, matchingOptions } from '../../parts/combobox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, SelectField, TextField } from '../../parts/field.tsx'
import { PausedShares } from '../../parts/share-badges.tsx'

const DAYS_OR_NEVER = [{ value: '', name: 'Never' }, ...DAYS]
const LONGEST_NAME = 64

interface Props {
  /** The name to begin with. */
  title: string
  query(): Promise<string>
  /** The search and its mail that are changed; without them a new one is saved. */
  search?: SavedSearch
  mail?: ScheduledMail | undefined
  onClose(): void
  onSaved?(): void
}

/** Saves a search under a name: for the reader, for a group, or to be mailed. */
export function SaveSearch({ title, query, search, mail, onClose, onSaved }: Props) {
  const [name, setName] = useState(title.replace(/[<>&]/g, ' ').slice(0, LONGEST_NAME))
  const [group, setGroup] = useState(search?.shared_with ?? '')
  const [day, setDay] = useState(mail?.schedules[0]?.day ?? '')
  const [hour, setHour] = useState(mail?.schedules[0]?.time ?? '8')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const mayMail = mail !== undefined || maySchedule()
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      if (search === undefined) await saveNew(name.trim(), await query(), group)
      else await put('/saved_search/:id', { id: search.id, name: name.trim(), shared_with: group })
      await saveMail(mail, name.trim(), day, hour)
      showToast({ kind: 'done', text: `“${name.trim()}” is saved${day === '' ? '' : ', and will be mailed to you'}.` })
      onSaved?.()
      onClose()
    } catch (fault) {
      setError((fault as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={search === undefined ? 'Save this search' : 'Change the search'}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{search === undefined ? 'Do not save' : 'Leave it as it is'}</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField label="Name" isNeeded value={name} onText={setName} error={error} />
      <PausedShares paused={search?.paused_shares ?? []} />
      <ShareWith before={search?.shared_with ?? ''} value={group} onChoice={setGroup} />
      {mayMail && <SelectField label="Mail it to me" value={day} options={DAYS_OR_NEVER} onChoice={setDay} />}
      {day !== '' && <SelectField label="At" value={hour} options={TIMES} onChoice={setHour} />}
    </Dialog>
  )
}

interface ShareProps {
  before: string
  value: string
  onChoice(group: string): void
}

/** Own groups first, those that give rights last; many are found by typing. */
function ShareWith({ before, value, onChoice }: ShareProps) {
  const { own, system } = groupsToShare(before === '' ? [] : [before])
  const options = [
    { value: '', name: 'Only me' },
    ...own.map((name) => ({ value: name, name })),
    ...system.map((name) => ({ value: name, name, note: 'gives rights' })),
  ]
  const field = {
    label: 'Share with',
    hint: 'Members find it in their list of searches. Everybody sees only the bugs that they may see.',
  }
  if (own.length + system.length <= MANY_GROUPS)
    return <SelectField {...field} value={value} options={options} onChoice={onChoice} />
  return (
    <Field {...field}>
      {(ids) => (
        <Combobox
          {...ids}
          label={field.label}
          value={value === '' ? 'Only me' : value}
          options={(text) => matchingOptions(options, text)}
          onChoice={(option) => onChoice(option.value)}
        />
      )}
    </Field>
  )
}

/** Saves the search; one of the same name is replaced. */
async function saveNew(name: string, query: string, group: string) {
  const search = { name, query: query || 'quicksearch=ALL', ...(group !== '' && { shared_with: group }) }
  try {
    await post('/saved_search', search)
  } catch (fault) {
    const id = isRefusedFor(fault, 'name_taken') ? await idOf(name) : undefined
    if (id === undefined) throw fault
    await put('/saved_search/:id', { id, ...search, shared_with: group })
  }
}

async function idOf(name: string): Promise<number | undefined> {
  const { saved_searches: saved } = await get(addressOf('/saved_search', { shared: false }))
  return saved.find((it) => it.name.toLowerCase() === name.toLowerCase())?.id
}

async function saveMail(mail: ScheduledMail | undefined, search: string, day: string, time: string) {
  if (day === '') {
    if (mail !== undefined) await remove('/scheduled_mail/:id', { id: mail.id })
    return
  }
  const schedules = [{ day, time }]
  if (mail === undefined) await post('/scheduled_mail', { subject: search, searches: [{ search }], schedules })
  else await put('/scheduled_mail/:id', { id: mail.id, subject: search, schedules })
}
