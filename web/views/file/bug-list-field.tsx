import { addressOf } from '../../../shared/rest-address.ts'
import { useData } from '../../core/server/use-data.ts'
import { bugsLike } from '../../parts/options.ts'
import { ListField } from './list-field.tsx'

interface Props {
  label: string
  value: string
  onValue(value: string): void
  error: string | undefined
}

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
  const { body, fault } = useData(addressOf('/bug/:ref', { ref: name, include_fields: 'id,summary' }))
  if (fault !== undefined) return <span class="danger">{fault.message}</span>
  return (
    <>
      {name} <span class="faint">{body?.bugs[0]?.summary}</span>
    </>
  )
}
