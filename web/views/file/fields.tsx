import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { MAIN_FORM } from '../../core/bugs/field-places.ts'
import type { Field, Product } from '../../core/server/types.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { displayValue } from '../../parts/glyphs.tsx'
import { CustomField } from './custom-field.tsx'
import { type NewBug, valuesOffered } from './new-bug.ts'

export interface FieldsProps {
  bug: NewBug
  onBug(bug: NewBug): void
  product: Product | undefined
  fields: readonly Field[]
  errorOf(name: string): string | undefined
}

export function Summary({ bug, onBug, errorOf }: Pick<FieldsProps, 'bug' | 'onBug' | 'errorOf'>) {
  return (
    <TextField
      label="Summary"
      isNeeded
      isLarge
      value={bug.summary}
      onText={(summary) => onBug({ ...bug, summary })}
      hint={`What happens, and where. ${[...bug.summary].length} of 255 characters.`}
      error={errorOf('summary')}
    />
  )
}

/** Sets one of the other fields. */
export function setterOf({ bug, onBug }: Pick<FieldsProps, 'bug' | 'onBug'>) {
  return (name: string) => (value: string) => onBug({ ...bug, values: { ...bug.values, [name]: value } })
}

/** The fields that every bug should have: version, severity, priority, and those that administrators want. */
export function MainFields({ custom, ...props }: FieldsProps & { custom: readonly Field[] }) {
  const { bug, onBug, product, errorOf } = props
  const set = setterOf(props)
  const versions = (product?.versions ?? []).filter(({ is_active }) => is_active)
  return (
    <div class="file-fields">
      <SelectField
        label="Version"
        isNeeded
        value={bug.version}
        options={[{ value: '', name: 'Choose one' }, ...versions.map(({ name }) => ({ value: name, name }))]}
        onChoice={(version) => onBug({ ...bug, version })}
        error={errorOf('version')}
      />
      {MAIN_FORM.map((name) => (
        <Choice key={name} {...props} name={name} />
      ))}
      {custom.map((field) => (
        <CustomField
          key={field.name}
          {...{ field, bug }}
          context={props}
          onValue={set(field.name)}
          error={errorOf(field.name)}
        />
      ))}
    </div>
  )
}

/** A field with values to choose from, which has a usual one. */
export function Choice({ name, ...props }: FieldsProps & { name: string }) {
  const field = props.fields.find((it) => it.name === fieldNameOf(name))
  if (field === undefined) return null
  const values = valuesOffered(props.bug, field, props).map(({ name: value }) => ({
    value: value ?? '',
    name: displayValue(value ?? ''),
  }))
  return (
    <SelectField
      label={field.display_name ?? name}
      value={props.bug.values[name] ?? ''}
      options={[{ value: '', name: 'The usual one' }, ...values]}
      onChoice={setterOf(props)(name)}
      error={props.errorOf(name)}
    />
  )
}
