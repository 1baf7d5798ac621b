import { useState } from 'preact/hooks'
import { SAVED_CALL } from '../../../shared/first-calls.ts'
import { me } from '../../core/account/session.ts'
import { parametersOf } from '../../core/bugs/saved-searches.ts'
import { firstPage, setFirstPage } from '../../core/first-page.ts'
import { useData } from '../../core/server/use-data.ts'
import { SelectField } from '../../parts/field.tsx'

const PAGES = [
  { value: '/', name: 'Home' },
  { value: '/bugs?status=__open__', name: 'Open bugs' },
  { value: '/requests', name: 'Requests' },
  { value: '/products', name: 'Products' },
  { value: '/dashboards', name: 'Dashboards' },
  { value: '/reports', name: 'Reports' },
]

/** What opens with the address of the tracker alone, and after logging in. */
export function FirstPageChoice() {
  const [value, setValue] = useState(firstPage())
  const { body } = useData(me.value === undefined ? undefined : SAVED_CALL)
  const searches = (body?.saved_searches ?? []).map((search) => ({
    value: `/bugs?${parametersOf(search)}`,
    name: `Search: ${search.name}`,
  }))
  const known = [...PAGES, ...searches]
  // A search that was deleted is still the choice, until another one is made.
  const options = known.some((it) => it.value === value) ? known : [...known, { value, name: value }]
  const choose = (next: string) => {
    setValue(next)
    setFirstPage(next)
  }
  return <SelectField label="First page" value={value} options={options} onChoice={choose} />
}
