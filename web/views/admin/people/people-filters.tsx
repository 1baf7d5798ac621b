import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { isAdmin } from '../../../core/account/session.ts'
import { goWith, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { FindBox } from '../changes/find-box.tsx'

const WAIT_MILLISECONDS = 250

/** What is typed is applied after a moment, choices at once. */
export function PeopleFilters() {
  const applied = query.value.get('text') ?? ''
  const [text, setText] = useState(applied)
  const groups = useData(addressOf('/group', { include_fields: 'name' }))
  useEffect(() => {
    if (text === applied) return
    const timer = setTimeout(() => goWith({ text: text || undefined }), WAIT_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [text])
  const names = (groups.body?.groups ?? []).map(({ name }) => ({ value: name, name }))
  return (
    <search class="people-filters">
      <div class="people-find">
        <FindBox label="Name, address or number" text={text} onText={setText} />
      </div>
      <Choice name="enabled" label="Account" options={ENABLED} />
      <Choice name="group" label="Group" options={[{ value: '', name: 'any group' }, ...names]} />
      {isAdmin.value && <Choice name="factor" label="Second factor" options={FACTOR} />}
    </search>
  )
}

interface Option {
  value: string
  name: string
}

const ENABLED: readonly Option[] = [
  { value: '', name: 'any account' },
  { value: 'yes', name: 'enabled' },
  { value: 'no', name: 'disabled' },
]
const FACTOR: readonly Option[] = [
  { value: '', name: 'with or without second factor' },
  { value: 'yes', name: 'with second factor' },
  { value: 'no', name: 'without second factor' },
]

function Choice({ name, label, options }: { name: string; label: string; options: readonly Option[] }) {
  return (
    <select
      class="input select people-choice"
      aria-label={label}
      value={query.value.get(name) ?? ''}
      onChange={({ currentTarget: { value } }) => goWith({ [name]: value || undefined })}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  )
}
