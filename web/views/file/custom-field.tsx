import { isNothing } from '../../core/bugs/fields.ts'
import type { Field } from '../../core/server/types.ts'
import { matchingOptions } from '../../parts/combobox.tsx'
import { Field as Labelled, SelectField, TextField } from '../../parts/field.tsx'
import { ListField } from './list-field.tsx'
import { type NewBug, valuesOffered } from './new-bug.ts'
import type { FormContext } from './values-once-filed.ts'

const SELECT = 2
const MULTI_SELECT = 3
const LONG_TEXT = 4
const INPUTS: Readonly<Record<number, 'datetime-local' | 'date' | 'number'>> = {
  5: 'datetime-local',
  9: 'date',
  10: 'number',
}

interface Props {
  field: Field
  bug: NewBug
  context: FormContext
  onValue(value: string): void
  error: string | undefined
}

/** A field that an administrator added, by its type. */
export function CustomField({ field, bug, context, onValue, error }: Props) {
  const label = field.display_name ?? field.name
  const isNeeded = field.is_mandatory === true
  const value = bug.values[field.name] ?? ''
  const common = { label, isNeeded, value, error }
  const options = valuesOffered(bug, field, context).map(({ name }) => ({ value: name ?? '', name: name ?? '' }))
  if (field.type === SELECT) {
    const none = { value: '', name: isNeeded ? 'Choose one' : 'None' }
    const choices = options.filter((it) => !isNothing(field.name, it.name))
    const chosen = isNothing(field.name, value) ? '' : value
    return <SelectField {...common} value={chosen} options={[none, ...choices]} onChoice={onValue} />
  }
  if (field.type === MULTI_SELECT)
    return <ListField {...common} onValue={onValue} options={(text) => matchingOptions(options, text)} isClosed />
  if (field.type === LONG_TEXT)
    return (
      <Labelled label={label} isNeeded={isNeeded} error={error}>
        {({ id, describedBy, isInvalid }) => (
          <textarea
            id={id}
            class="input"
            rows={3}
            dir="auto"
            value={value}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Labelled>
    )
  return <TextField {...common} type={INPUTS[field.type] ?? 'text'} onText={onValue} />
}
