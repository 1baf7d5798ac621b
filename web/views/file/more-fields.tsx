import { useState } from 'preact/hooks'
import { parameters } from '../../core/account/session.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { Combobox, matchingOptions } from '../../parts/combobox.tsx'
import { Field, SelectField, TextField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { peopleLike } from '../../parts/options.ts'
import { BugListField } from './bug-list-field.tsx'
import { Choice, type FieldsProps, setterOf } from './fields.tsx'
import { ListField } from './list-field.tsx'
import { MORE_FIELDS } from './new-bug.ts'
import { Requests } from './requests.tsx'

/** Fields that most bugs leave as they are. They open when one of them is refused. */
export function MoreFields(props: FieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const isRefused = [...MORE_FIELDS, 'flags'].some((name) => props.errorOf(name) !== undefined)
  const { can_edit: canEdit = false, can_track_time: canTrack = false } = props.product?.filing ?? {}
  const names = [
    'Hardware, milestone',
    ...(canEdit ? ['assignee'] : []),
    'CC, keywords',
    ...(canEdit ? ['depends on, blocks'] : []),
    ...(canTrack ? ['deadline, hours'] : []),
    'URL, alias, requests',
  ]
  return (
    <details class="fmore" open={isOpen || isRefused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" size="s" />
        <b class="nowrap">More fields</b> <span class="faint cut">{names.join(', ')}</span>
      </summary>
      <div class="fgrid">
        <Choice {...props} field="rep_platform" />
        <Choice {...props} field="op_sys" />
        <Milestone {...props} />
        {canEdit && <PersonField {...props} name="assigned_to" label="Assignee" />}
        {canEdit && isShownField('qa_contact') && <PersonField {...props} name="qa_contact" label="QA contact" />}
        <Lists {...props} canEdit={canEdit} />
        {canTrack && <Times {...props} />}
        <Texts {...props} canEdit={canEdit} />
      </div>
      <Requests {...props} error={props.errorOf('flags')} />
    </details>
  )
}

function Milestone(props: FieldsProps) {
  if (!isShownField('target_milestone') || parameters.value.letsubmitterchoosemilestone === '0') return null
  const milestones = (props.product?.milestones ?? []).filter(({ is_active }) => is_active)
  return (
    <SelectField
      label="Milestone"
      value={props.bug.values.target_milestone ?? ''}
      options={[{ value: '', name: 'The usual one' }, ...milestones.map(({ name }) => ({ value: name, name }))]}
      onChoice={setterOf(props)('target_milestone')}
      error={props.errorOf('target_milestone')}
    />
  )
}

function PersonField({ name, label, ...props }: FieldsProps & { name: string; label: string }) {
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

function Lists({ canEdit, ...props }: FieldsProps & { canEdit: boolean }) {
  const set = setterOf(props)
  const of = (name: string) => ({
    value: props.bug.values[name] ?? '',
    onValue: set(name),
    error: props.errorOf(name),
  })
  const keywords = props.fields.find(({ name }) => name === 'keywords')?.values ?? []
  const options = keywords.flatMap(({ name, description }) =>
    name === null ? [] : [{ value: name, name, ...(description !== undefined && { note: description }) }],
  )
  return (
    <>
      <ListField label="CC" {...of('cc')} placeholder="Add a person" options={peopleLike} />
      <ListField label="Keywords" {...of('keywords')} options={(text) => matchingOptions(options, text)} />
      {canEdit && <BugListField label="Depends on" {...of('depends_on')} />}
      {canEdit && <BugListField label="Blocks" {...of('blocks')} />}
    </>
  )
}

function Times(props: FieldsProps) {
  const set = setterOf(props)
  const { values } = props.bug
  return (
    <>
      <TextField
        label="Deadline"
        type="date"
        value={values.deadline ?? ''}
        onText={set('deadline')}
        error={props.errorOf('deadline')}
      />
      <TextField
        label="Estimated hours"
        value={values.estimated_time ?? ''}
        onText={set('estimated_time')}
        error={props.errorOf('estimated_time')}
      />
    </>
  )
}

function Texts({ canEdit, ...props }: FieldsProps & { canEdit: boolean }) {
  const set = setterOf(props)
  const { values } = props.bug
  return (
    <>
      <TextField label="URL" type="url" value={values.url ?? ''} onText={set('url')} error={props.errorOf('url')} />
      <TextField
        label="Alias"
        value={values.alias ?? ''}
        onText={set('alias')}
        error={props.errorOf('alias')}
        hint="A short name for the bug."
      />
      {canEdit && isShownField('whiteboard') && (
        <TextField
          label="Whiteboard"
          value={values.whiteboard ?? ''}
          onText={set('whiteboard')}
          error={props.errorOf('whiteboard')}
        />
      )}
    </>
  )
}
