import { type FlagType, flagTypesCall } from '../../core/bugs/flag-types.ts'
import type { Product } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { FieldError } from '../../parts/field.tsx'
import { peopleLike } from '../../parts/options.ts'
import type { NewBug } from './new-bug.ts'

interface Props {
  bug: NewBug
  onBug(bug: NewBug): void
  product: Product | undefined
  error: string | undefined
}

/** What is asked with the new bug, and of whom. */
export function Requests({ bug, onBug, product, error }: Props) {
  const isKnown = product?.components.some(({ name }) => name === bug.component) ?? false
  const address = isKnown ? flagTypesCall(bug.product, bug.component) : undefined
  const types = useData(address).body?.bug ?? []
  const usable = types.filter(({ is_active, values }) => is_active && values.includes('?'))
  if (usable.length === 0) return null
  const set = (typeId: number, requestee: string | undefined) => {
    const others = bug.flags.filter(({ type_id }) => type_id !== typeId)
    onBug({ ...bug, flags: requestee === undefined ? others : [...others, { type_id: typeId, requestee }] })
  }
  return (
    <fieldset class="file-section">
      <legend class="label">Ask for</legend>
      {usable.map((type) => (
        <Request
          key={type.id}
          type={type}
          requestee={bug.flags.find(({ type_id }) => type_id === type.id)?.requestee}
          onRequestee={(requestee) => set(type.id, requestee)}
        />
      ))}
      {error !== undefined && <FieldError error={error} />}
    </fieldset>
  )
}

interface RequestProps {
  type: FlagType
  /** Undefined when it is not asked for; empty for anybody. */
  requestee: string | undefined
  onRequestee(requestee: string | undefined): void
}

function Request({ type, requestee, onRequestee }: RequestProps) {
  return (
    <div class="row wrap">
      <label class="checkbox-label">
        <input
          class="checkbox"
          type="checkbox"
          checked={requestee !== undefined}
          onChange={() => onRequestee(requestee === undefined ? '' : undefined)}
        />
        <span>
          <b dir="auto">{type.name}</b>{' '}
          <span class="faint" dir="auto">
            {type.description}
          </span>
        </span>
      </label>
      {requestee !== undefined && type.is_requesteeble && (
        <Combobox
          label={`Of whom to ask ${type.name}`}
          value={requestee}
          placeholder="Of anybody"
          options={async (text) => [
            ...(text === '' ? [{ value: '', name: 'Anybody' }] : []),
            ...(await peopleLike(text)),
          ]}
          onChoice={({ value }) => onRequestee(value)}
          isFree
          isTakenOnLeaving
        />
      )}
    </div>
  )
}
