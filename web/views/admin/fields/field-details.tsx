import type { Field } from '../../../core/server/types.ts'
import { TextField } from '../../../parts/field.tsx'
import { Edited, EditedCheck, editedValue } from '../changes/edited-value.tsx'
import type { Place } from '../changes/use-place.ts'
import { type FieldSwitch, type FieldsState, type FieldText, fieldKey, yesNo } from './field-state.ts'
import { typeInWords } from './field-words.ts'
import { pathOf } from './fields-now.ts'

export interface FieldProps {
  place: Place<FieldsState>
  state: FieldsState
  field: Field
}

/** New values come first: a rule may name them. A field comes before its values, which a new controlling field would show again. */
export const ORDER = { newValue: 0, field: 1, value: 2 } as const

const BUG = 6

const TITLES: Readonly<Record<FieldText | FieldSwitch, string>> = {
  display_name: 'name',
  description: 'description',
  reverse_name: 'name on the other bug',
  is_mandatory: 'whether it is needed',
  is_on_bug_entry: 'whether it is shown when filing',
  is_in_new_mail: 'whether mail about new bugs has it',
  is_obsolete: 'whether it is no longer used',
}

function partOf({ place, field }: FieldProps, name: FieldText | FieldSwitch) {
  const isSwitch = name.startsWith('is_')
  return editedValue(place, {
    key: fieldKey(field, name),
    title: `${field.display_name}: ${TITLES[name]}`,
    before: isSwitch ? yesNo(Boolean(field[name])) : String(field[name] ?? ''),
    order: ORDER.field,
    call: (after) => ({
      method: 'PUT',
      path: pathOf(field),
      params: { [name]: isSwitch ? after === 'yes' : after },
    }),
  })
}

/** What a custom field is called, and where it is asked for. */
export function FieldDetails(props: FieldProps) {
  const { field } = props
  const name = partOf(props, 'display_name')
  const description = partOf(props, 'description')
  const reverse = partOf(props, 'reverse_name')
  const mandatory = partOf(props, 'is_mandatory')
  const obsolete = partOf(props, 'is_obsolete')
  const isRuled = field.visibility_field !== null
  return (
    <section class="card admin-card" aria-label="Details">
      <div class="field-head">
        <h2>Details</h2>
        <span class="badge">{typeInWords(field)}</span>
        <span class="monospace faint small">{field.name}</span>
      </div>
      <div class="product-details">
        <Edited value={name}>
          <TextField label="Name" value={name.value} onText={name.set} />
        </Edited>
        <Edited value={description}>
          <TextField label="Description" value={description.value} onText={description.set} />
        </Edited>
        {field.type === BUG && (
          <Edited value={reverse}>
            <TextField
              label="Name on the other bug"
              hint="Such as “Found while fixing”; without it the other bug shows nothing."
              value={reverse.value}
              onText={reverse.set}
            />
          </Edited>
        )}
      </div>
      <div class="product-details">
        <EditedCheck value={partOf(props, 'is_on_bug_entry')} label="Shown when filing" />
        <EditedCheck
          value={mandatory}
          label="Needed"
          hint={
            mandatory.value === 'yes' && isRuled
              ? 'Where it is not shown, it is not asked for.'
              : mandatory.value === 'yes' && mandatory.change !== undefined
                ? 'Old bugs without a value stay without it until it is filled in.'
                : undefined
          }
        />
        <EditedCheck value={partOf(props, 'is_in_new_mail')} label="In the mail about new bugs" />
        <EditedCheck
          value={obsolete}
          label="No longer used"
          hint={obsolete.value === 'yes' ? 'It is shown nowhere. Bugs keep their values.' : undefined}
        />
      </div>
    </section>
  )
}
