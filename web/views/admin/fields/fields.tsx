import { go, hrefOf } from '../../../core/router.ts'
import type { Field } from '../../../core/server/types.ts'
import { showToast } from '../../../core/toasts.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import { DeletionZone } from '../changes/deletion-zone.tsx'
import type { ChangedObject } from '../changes/effects-in-words.ts'
import { usePlace } from '../changes/use-place.ts'
import { PlaceHead } from '../place-head.tsx'
import { OpenRemovals } from '../removals/open-removals.tsx'
import { FieldDetails, type FieldProps } from './field-details.tsx'
import { FieldList } from './field-list.tsx'
import { FIELDS_PART, hasOwnValues, loadFields, nameIn, valuesOf } from './field-state.ts'
import { FieldValues } from './field-values.tsx'
import { labelOf } from './field-words.ts'
import { fieldsNow, pathOf } from './fields-now.ts'
import { FormPreview } from './form-preview.tsx'
import { NewField } from './new-field.tsx'
import { Visibility } from './visibility.tsx'

/** All fields, one of them in full, and the form that they make. Changes of all of them are saved together. */
export function Fields({ item }: { item?: string | undefined }) {
  const place = usePlace({ name: FIELDS_PART, title: 'Fields', load: loadFields, values: valuesOf })
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const field = state.fields.find((it) => it.name === item)
  const nameOf = (object: ChangedObject) => nameIn(state, object)
  return (
    <>
      <PlaceHead
        actions={
          <>
            <a class="button field-see-form" href="#form-preview">
              <Icon name="eye" />
              See the form
            </a>
            {item !== undefined && (
              <a class="button" href={hrefOf(`/admin/${FIELDS_PART}`)}>
                <Icon name="plus" />
                New field
              </a>
            )}
          </>
        }
      >
        <p class="muted">What a bug can say, and when it is asked for.</p>
      </PlaceHead>
      <OpenRemovals
        isShown={({ class: it }) => it === 'Tracker::FieldValue'}
        onEnd={() => void place.reload().catch(() => {})}
      />
      <div class={item === undefined ? 'field-columns' : 'field-columns has-item'}>
        <FieldList place={place} state={state} current={item} />
        <div class="stack">
          {item === undefined && (
            <div class="card admin-card">
              <NewField onMade={place.reload} />
            </div>
          )}
          {item !== undefined && field === undefined && <Empty icon="search" title={`There is no field ${item}`} />}
          {field !== undefined && <OneField key={field.name} place={place} state={state} field={field} />}
        </div>
        <div class="stack field-preview">
          <FormPreview fields={fieldsNow(state.fields, place.draft)} products={state.products} current={field?.name} />
          <AuditTrail classes={CLASSES} labelOf={(name) => labelOf(state.fields, name)} version={place.version} />
        </div>
        {field?.is_custom && <FieldDeletion key={field.name} place={place} field={field} nameOf={nameOf} />}
      </div>
      <ChangeBar place={place} nameOf={nameOf} />
    </>
  )
}

const CLASSES = ['Tracker::Field', 'Tracker::FieldValue']

function OneField(props: FieldProps) {
  const { field } = props
  return (
    <>
      {field.is_custom ? <FieldDetails {...props} /> : <BuiltIn field={field} />}
      {hasOwnValues(field) && <FieldValues {...props} />}
      <Visibility {...props} />
    </>
  )
}

interface DeletionProps extends Pick<FieldProps, 'place' | 'field'> {
  nameOf(object: ChangedObject): { name: string; bugs?: string } | undefined
}

function FieldDeletion({ place, field, nameOf }: DeletionProps) {
  return (
    <div class="field-deletion">
      <DeletionZone
        what="field"
        name={field.display_name}
        about="Only a field that no bug ever had a value in, and on which no other depends. Others can become “no longer used”."
        calls={[
          { method: 'PUT', path: pathOf(field), params: { is_obsolete: true } },
          { method: 'DELETE', path: pathOf(field) },
        ]}
        nameOf={nameOf}
        onDone={() => {
          place.draft.drop(...place.draft.changes.value.map(({ key }) => key).filter((key) => isAbout(key, field)))
          go(`/admin/${FIELDS_PART}`, 'replace')
          void place.reload()
          showToast({ kind: 'done', text: `The field ${field.display_name} is deleted.` })
        }}
      />
    </div>
  )
}

function isAbout(key: string, { name }: Field) {
  return key.startsWith(`field ${name} `) || /^values? (\S+)/.exec(key)?.[1] === name || key === 'fields order'
}

function BuiltIn({ field }: { field: Field }) {
  return (
    <p class="muted">
      <Icon name="lock" size="small" /> {field.display_name} <span class="monospace faint small">{field.name}</span> is
      built in: only its values change.
    </p>
  )
}
