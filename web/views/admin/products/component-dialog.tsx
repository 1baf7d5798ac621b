import { useState } from 'preact/hooks'
import { me } from '../../../core/account/session.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { Field, TextField } from '../../../parts/field.tsx'
import { peopleLike } from '../../../parts/options.ts'
import type { Change } from '../changes/change-draft.ts'
import { DraftForm } from '../changes/draft-form.tsx'
import type { Place } from '../changes/use-place.ts'
import {
  type ComponentPart,
  ccOf,
  loginsIn,
  type ProductComponent,
  type ProductState,
  partOf,
} from './product-state.ts'

type Part = ComponentPart | 'default_cc'

interface Props {
  place: Place<ProductState>
  state: ProductState
  /** A saved component, one that is not saved yet, or none. */
  component: ProductComponent | Change | 'new'
  /** Whether it was opened to change who watches it. */
  isForWatchers?: boolean
  onChange(component: ProductComponent, part: Part, before: string, after: string): void
  onClose(): void
}

const EDITED = [
  'name',
  'description',
  'default_assignee',
  'default_qa_contact',
  'triage_owner',
  'triage_rotation',
] as const
type Values = Record<(typeof EDITED)[number] | 'default_cc', string>

/** All that a component has, at once. What is changed waits in the bar. */
export function ComponentDialog({ place, state, component, isForWatchers = false, onChange, onClose }: Props) {
  const saved = component !== 'new' && 'id' in component ? component : undefined
  const made = component !== 'new' && 'call' in component ? component : undefined
  const [values, setValues] = useState<Values>(() => valuesOf(place, state, saved, made))
  const set = (part: keyof Values) => (text: string) => setValues((last) => ({ ...last, [part]: text }))
  const take = () => {
    if (saved === undefined) return place.change(creationOf(state, values, made?.key))
    for (const part of EDITED) onChange(saved, part, partOf(saved, part), values[part].trim())
    onChange(saved, 'default_cc', ccOf(state, saved), loginsIn(values.default_cc).join(', '))
  }
  return (
    <DraftForm title={saved === undefined ? 'New component' : `Component ${saved.name}`} onAdd={take} onClose={onClose}>
      <TextField label="Name" isNeeded isFocused={!isForWatchers} value={values.name} onText={set('name')} />
      <TextField label="What belongs in it" isNeeded value={values.description} onText={set('description')} />
      <PersonField
        label="Owner"
        hint="Gets its new bugs."
        value={values.default_assignee}
        onValue={set('default_assignee')}
      />
      <PersonField
        label="QA contact"
        hint="Empty for nobody."
        value={values.default_qa_contact}
        onValue={set('default_qa_contact')}
      />
      <PersonField
        label="Triage owner"
        hint="Decides about its new bugs. Empty for nobody, or if it has a rotation."
        value={values.triage_owner}
        onValue={set('triage_owner')}
      />
      <TextField
        label="Triage rotation"
        hint="The name of a rotation, whose users take turns. Empty for none."
        value={values.triage_rotation}
        onText={set('triage_rotation')}
      />
      <TextField
        label="On the CC list of new bugs"
        hint="They watch the component: login names, separated by commas."
        isFocused={isForWatchers}
        value={values.default_cc}
        onText={set('default_cc')}
      />
    </DraftForm>
  )
}

function valuesOf(
  { draft }: Place<ProductState>,
  state: ProductState,
  saved: ProductComponent | undefined,
  made: Change | undefined,
): Values {
  if (saved !== undefined) {
    const now = (part: ComponentPart) => draft.valueOf(`component ${saved.id} ${part}`, partOf(saved, part))
    return {
      name: now('name'),
      description: now('description'),
      default_assignee: now('default_assignee'),
      default_qa_contact: now('default_qa_contact'),
      triage_owner: now('triage_owner'),
      triage_rotation: now('triage_rotation'),
      default_cc: draft.valueOf(`component ${saved.id} default_cc`, ccOf(state, saved)),
    }
  }
  const param = (name: string) => String(made?.call.params?.[name] ?? '')
  return {
    name: param('name'),
    description: param('description'),
    default_assignee: param('default_assignee') || (me.value?.name ?? ''),
    default_qa_contact: param('default_qa_contact'),
    triage_owner: param('triage_owner'),
    triage_rotation: param('triage_rotation'),
    default_cc: param('default_cc').replaceAll(',', ', '),
  }
}

function creationOf({ product }: ProductState, values: Values, key = `component new ${values.name.trim()}`): Change {
  const { default_qa_contact: qa, triage_owner: owner, triage_rotation: rotation, ...others } = values
  const default_cc = loginsIn(values.default_cc)
  const params = {
    product: product.name,
    ...others,
    default_cc,
    ...(qa.trim() !== '' && { default_qa_contact: qa }),
    ...(owner.trim() !== '' && { triage_owner: owner }),
    ...(rotation.trim() !== '' && { triage_rotation: rotation }),
  }
  return {
    key,
    title: `new component ${values.name.trim()}`,
    before: '',
    after: values.name.trim(),
    call: { method: 'POST', path: '/rest/component', params },
  }
}

interface PersonProps {
  label: string
  hint: string
  value: string
  onValue(login: string): void
}

function PersonField({ label, hint, value, onValue }: PersonProps) {
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => (
        <Combobox
          id={id}
          describedBy={describedBy}
          label={label}
          value={value}
          options={(text) => peopleLike(text)}
          onChoice={(option) => onValue(option.value.trim())}
          onText={onValue}
          isFree
          isTakenOnLeaving
        />
      )}
    </Field>
  )
}
