import type { Field, Product } from '../../core/types.ts'
import { Field as Labelled, SelectField, TextField } from '../../parts/field.tsx'
import { words } from '../../parts/glyphs.tsx'
import { Icon } from '../../parts/icon.tsx'
import { CHOICES, LISTS, type NewBug } from './new-bug.ts'

interface Props {
  bug: NewBug
  onBug(bug: NewBug): void
}

export function Summary({ bug, onBug, error }: Props & { error: string | undefined }) {
  return (
    <TextField
      label="Summary"
      isNeeded
      isLarge
      value={bug.summary}
      onText={(summary) => onBug({ ...bug, summary })}
      hint={`What happens, and where. ${[...bug.summary].length} of 255 characters.`}
      error={error}
    />
  )
}

const DESCRIPTION_ROWS = 9

export function Description({ bug, onBug, onFiles }: Props & { onFiles(files: File[]): void }) {
  return (
    <Labelled label="Description">
      {({ id }) => (
        <textarea
          id={id}
          class="input"
          rows={DESCRIPTION_ROWS}
          dir="auto"
          value={bug.description}
          placeholder={'What you did, what happened, and what you expected.\nFiles can be dropped or pasted here.'}
          onInput={(event) => onBug({ ...bug, description: event.currentTarget.value })}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])]
            if (files.length === 0) return
            event.preventDefault()
            onFiles(files)
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const files = [...(event.dataTransfer?.files ?? [])]
            if (files.length === 0) return
            event.preventDefault()
            onFiles(files)
          }}
        />
      )}
    </Labelled>
  )
}

interface BugFieldsProps extends Props {
  product: Product | undefined
  fields: readonly Field[]
  custom: readonly Field[]
  errorOf(name: string): string | undefined
}

export function BugFields({ bug, onBug, product, fields, custom, errorOf }: BugFieldsProps) {
  const set = (name: string) => (value: string) => onBug({ ...bug, values: { ...bug.values, [name]: value } })
  const versions = (product?.versions ?? []).filter(({ is_active }) => is_active)
  const milestones = (product?.milestones ?? []).filter(({ is_active }) => is_active)
  return (
    <>
      <div class="fgrid">
        <SelectField
          label="Version"
          isNeeded
          value={bug.version}
          options={[{ value: '', name: 'Choose one' }, ...versions.map(({ name }) => ({ value: name, name }))]}
          onChoice={(version) => onBug({ ...bug, version })}
          error={errorOf('version')}
        />
        {Object.entries(CHOICES)
          .slice(0, 2)
          .map(([field, name]) => (
            <Choice
              key={name}
              field={fields.find((it) => it.name === field)}
              name={name}
              bug={bug}
              onValue={set(name)}
            />
          ))}
        {custom.map((field) => (
          <CustomField
            key={field.name}
            field={field}
            value={bug.values[field.name] ?? ''}
            onValue={set(field.name)}
            error={errorOf(field.name)}
          />
        ))}
      </div>
      <details class="fmore">
        <summary>
          <Icon name="right" size="s" />
          <b class="nowrap">More fields</b>{' '}
          <span class="faint cut">Hardware, milestone, assignee, CC, keywords, depends on, blocks, URL, alias</span>
        </summary>
        <div class="fgrid">
          {Object.entries(CHOICES)
            .slice(2)
            .map(([field, name]) => (
              <Choice
                key={name}
                field={fields.find((it) => it.name === field)}
                name={name}
                bug={bug}
                onValue={set(name)}
              />
            ))}
          <SelectField
            label="Milestone"
            value={bug.values.target_milestone ?? ''}
            options={[{ value: '', name: 'The usual one' }, ...milestones.map(({ name }) => ({ value: name, name }))]}
            onChoice={set('target_milestone')}
          />
          <TextField
            label="Assignee"
            value={bug.values.assigned_to ?? ''}
            onText={set('assigned_to')}
            hint="A login name; else the component’s."
          />
          {Object.entries(LISTS).map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={bug.values[name] ?? ''}
              onText={set(name)}
              hint="Several with commas."
            />
          ))}
          <TextField label="URL" type="url" value={bug.values.url ?? ''} onText={set('url')} />
        </div>
      </details>
    </>
  )
}

interface ChoiceProps {
  field: Field | undefined
  name: string
  bug: NewBug
  onValue(value: string): void
}

function Choice({ field, name, bug, onValue }: ChoiceProps) {
  if (field === undefined) return null
  const values = (field.values ?? []).flatMap(({ name: value }) =>
    value === null ? [] : [{ value, name: words(value) }],
  )
  return (
    <SelectField
      label={field.display_name ?? name}
      value={bug.values[name] ?? ''}
      options={[{ value: '', name: 'The usual one' }, ...values]}
      onChoice={onValue}
    />
  )
}

const SELECT = 2
const DATE = 9
const INTEGER = 10

interface CustomProps {
  field: Field
  value: string
  onValue(value: string): void
  error: string | undefined
}

function CustomField({ field, value, onValue, error }: CustomProps) {
  const label = field.display_name ?? field.name
  const isNeeded = field.is_mandatory === true
  if (field.type === SELECT) {
    const values = (field.values ?? []).flatMap(({ name }) => (name === null ? [] : [{ value: name, name }]))
    const options = [{ value: '', name: isNeeded ? 'Choose one' : 'None' }, ...values]
    return (
      <SelectField label={label} isNeeded={isNeeded} value={value} options={options} onChoice={onValue} error={error} />
    )
  }
  const type = field.type === DATE ? 'date' : field.type === INTEGER ? 'number' : 'text'
  return <TextField label={label} isNeeded={isNeeded} type={type} value={value} onText={onValue} error={error} />
}
