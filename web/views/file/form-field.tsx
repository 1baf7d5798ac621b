import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'
import { findField } from '../../../shared/bug-fields/field-names.ts'
import { parameters } from '../../core/account/session.ts'
import { displayOf, standardLabel } from '../../core/bugs/fields.ts'
import { Combobox, matchingOptions } from '../../parts/combobox.tsx'
import { Field, SelectField, TextField } from '../../parts/field.tsx'
import { peopleLike } from '../../parts/options.ts'
import { BugListField } from './bug-list-field.tsx'
import { Choice, type FieldsProps, setterOf } from './fields.tsx'
import { ListField } from './list-field.tsx'

type Props = FieldsProps & { name: FieldName }

/** A standard field of a new bug, by its kind. */
export function FormField(props: Props) {
  const { name, bug, errorOf } = props
  const { label = standardLabel(name), hint, input } = displayOf(name).form ?? {}
  const set = setterOf(props)(name)
  const common = { label, value: bug.values[name] ?? '', error: errorOf(name) }
  switch (findField(name)?.kind) {
    case 'choice':
      return <Choice {...props} />
    case 'place':
      return <Milestone {...props} label={label} />
    case 'user':
      return <PersonField {...props} label={label} />
    case 'users':
      return <ListField {...common} onValue={set} placeholder="Add a person" options={peopleLike} />
    case 'keywords':
      return <Keywords {...props} label={label} />
    case 'bugs':
      return <BugListField {...common} onValue={set} />
    case 'date':
      return <TextField {...common} type="date" onText={set} />
    default:
      return (
        <TextField {...common} onText={set} {...(input && { type: input })} {...(hint !== undefined && { hint })} />
      )
  }
}

/** The milestones of the product. */
function Milestone({ name, label, ...props }: Props & { label: string }) {
  if (parameters.value.letsubmitterchoosemilestone === '0') return null
  const milestones = (props.product?.milestones ?? []).filter(({ is_active }) => is_active)
  return (
    <SelectField
      label={label}
      value={props.bug.values[name] ?? ''}
      options={[{ value: '', name: 'The usual one' }, ...milestones.map((it) => ({ value: it.name, name: it.name }))]}
      onChoice={setterOf(props)(name)}
      error={props.errorOf(name)}
    />
  )
}

function PersonField({ name, label, ...props }: Props & { label: string }) {
  const value = props.bug.values[name] ?? ''
  const component = props.product?.components.find((it) => it.name === props.bug.component)
  const usual = name === 'assigned_to' ? component?.default_assigned_to : component?.default_qa_contact
  return (
    <Field label={label} error={props.errorOf(name)}>
      {({ id, describedBy, isInvalid }) => (
        <Combobox
          key={value}
          id={id}
          describedBy={describedBy}
          isInvalid={isInvalid}
          label={label}
          value={value}
          placeholder={usual || 'The usual one'}
          options={async (text) => [
            ...(text === '' && value !== '' ? [{ value: '', name: 'The usual one' }] : []),
            ...(await peopleLike(text)),
          ]}
          onChoice={(option) => setterOf(props)(name)(option.value.trim())}
          isFree
          isTakenOnLeaving
        />
      )}
    </Field>
  )
}

function Keywords({ name, label, ...props }: Props & { label: string }) {
  const keywords = props.fields.find((field) => field.name === name)?.values ?? []
  const options = keywords.flatMap(({ name: value, description }) =>
    value === null ? [] : [{ value, name: value, ...(description !== undefined && { note: description }) }],
  )
  return (
    <ListField
      label={label}
      value={props.bug.values[name] ?? ''}
      onValue={setterOf(props)(name)}
      error={props.errorOf(name)}
      options={(text) => matchingOptions(options, text)}
    />
  )
}
