import { findField } from '../../../../shared/bug-fields/field-names.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { IconButton } from '../../../parts/button.tsx'
import { Combobox, matchingOptions } from '../../../parts/combobox.tsx'
import { peopleLike } from '../../../parts/options.ts'
import { type Condition, needsValue, OPERATORS } from './criteria.ts'
import { valueWords } from './filters.ts'
import { Negation } from './negation.tsx'
import { SEARCH_LABELS } from './search-labels.ts'

function labelOf(fields: FieldList, name: string) {
  const field = findField(name)
  return (field && SEARCH_LABELS[field.name]) ?? fields.label(name)
}

function fieldOptions(fields: FieldList) {
  return fields.all
    .map(({ name }) => ({ value: name, name: labelOf(fields, name) }))
    .sort((one, other) => one.name.localeCompare(other.name))
}

interface Props {
  condition: Condition
  fields: FieldList
  onChange(condition: Condition): void
  onRemove(): void
}

/** A field, an operator and a value. The operators that begin with “changed” are about the history. */
export function ConditionEditor({ condition, fields, onChange, onRemove }: Props) {
  const { field, operator, value } = condition
  return (
    <div class="condition">
      <Negation part={condition} onChange={(isNegated) => onChange({ ...condition, isNegated })} />
      <select
        class="input select"
        aria-label="Field"
        value={field}
        onChange={(event) => onChange(withField(condition, event.currentTarget.value, fields))}
      >
        <option value="">Choose a field</option>
        {fieldOptions(fields).map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
      <select
        class="input select"
        aria-label="Operator"
        value={operator}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value })}
      >
        {OPERATORS.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {needsValue(operator) ? (
        <Value
          key={field}
          field={operator === 'changedby' ? 'assigned_to' : field}
          operator={operator}
          value={value}
          fields={fields}
          onValue={(next) => onChange({ ...condition, value: next })}
        />
      ) : (
        <span />
      )}
      <IconButton name="Remove the condition" icon="x" size="small" onClick={onRemove} />
    </div>
  )
}

function withField(condition: Condition, field: string, fields: FieldList): Condition {
  const operator =
    condition.operator !== 'substring' && condition.operator !== 'equals'
      ? condition.operator
      : fields.kind(field) === 'text'
        ? 'substring'
        : 'equals'
  return { ...condition, field, operator: field === 'content' ? 'matches' : operator }
}

interface ValueProps {
  field: string
  operator: string
  value: string
  fields: FieldList
  onValue(value: string): void
}

function Value({ field, operator, value, fields, onValue }: ValueProps) {
  const kind = fields.kind(field)
  const isWhen = operator === 'changedafter' || operator === 'changedbefore'
  if (isWhen || kind === 'text' || kind === 'time')
    return (
      <input
        class="input"
        aria-label="Value"
        value={value}
        placeholder={isWhen || kind === 'time' ? '2026-11-01 or 7d' : ''}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )
  const options = fields
    .values(field)
    .map(({ name }) => ({ value: name ?? '', name: valueWords(name ?? ''), also: name ?? '' }))
  return (
    <Combobox
      label="Value"
      value={value}
      isFree
      options={kind === 'person' ? peopleLike : (text) => matchingOptions(options, text)}
      onChoice={(option) => onValue(option.value)}
      onText={onValue}
    />
  )
}
