import { get } from '../../core/rest.ts'
import { useData } from '../../core/use-data.ts'
import type { Option } from '../../parts/combobox.tsx'
import { ListField } from './list-field.tsx'

interface Props {
  label: string
  value: string
  onValue(value: string): void
  error: string | undefined
}

interface ShortBug {
  id: number
  summary: string
}

const FIELDS = 'include_fields=id,summary'

/** Other bugs by number, alias or words; each is looked up. */
export function BugListField(props: Props) {
  return (
    <ListField
      {...props}
      placeholder="Number, alias or words"
      options={bugsLike}
      show={(item) => <NamedBug name={item} />}
    />
  )
}

function NamedBug({ name }: { name: string }) {
  const { body, fault } = useData<{ bugs: ShortBug[] }>(`/rest/bug/${encodeURIComponent(name)}?${FIELDS}`)
  if (fault !== undefined) return <span class="danger">{fault.message}</span>
  return (
    <>
      {name} <span class="faint">{body?.bugs[0]?.summary}</span>
    </>
  )
}

const SHORTEST_SEARCH = 2
const MOST = 8

async function bugsLike(text: string): Promise<Option[]> {
  if (text.trim().length < SHORTEST_SEARCH) return []
  const search = new URLSearchParams({ quicksearch: `ALL ${text}`, limit: String(MOST) })
  const { bugs } = await get<{ bugs: ShortBug[] }>(`/rest/bug?${search}&${FIELDS}`)
  return bugs.map(({ id, summary }) => ({ value: String(id), name: `${id} ${summary}` }))
}
