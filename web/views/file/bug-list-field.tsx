import { useData } from '../../core/server/use-data.ts'
import { bugsLike } from '../../parts/options.ts'
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
