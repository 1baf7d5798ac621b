import { ownGroupsFirst } from '../../../core/account/groups-to-share.ts'
import { go, hrefOf } from '../../../core/router.ts'
import { showToast } from '../../../core/toasts.ts'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { ChangeBar } from '../changes/change-bar.tsx'
import { DeletionZone } from '../changes/deletion-zone.tsx'
import { Edited, EditedCheck } from '../changes/edited-value.tsx'
import { usePlace } from '../changes/use-place.ts'
import { bugsWithFlag, FLAG_TYPES_PART, isOwn, loadFlagType, textIn, valuesOf } from './flag-type-state.ts'
import { type FlagTypeProps, switchOf, textOf, typeNow } from './flag-type-values.ts'
import { flagTypeInWords } from './flag-type-words.ts'
import { ScopeNames } from './scope-list.tsx'

const CLASSES = ['Tracker::FlagType']

/** Everything about one flag type, changed together. */
export function FlagTypePage({ item }: { item: string }) {
  const place = usePlace({
    name: `${FLAG_TYPES_PART}/${item}`,
    title: 'Flag type',
    load: () => loadFlagType(item),
    values: valuesOf,
  })
  const { state, fault } = place
  if (state === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} />
  const { type, bugs } = state
  const nameOf = () => ({ name: `the flag ${type.name}`, bugs: bugsWithFlag(type.name) })
  return (
    <>
      <p class="muted" dir="auto">
        {flagTypeInWords(typeNow(place, state))}{' '}
        <a class="link" href={hrefOf(bugsWithFlag(type.name))}>
          {bugs === 1 ? '1 bug has a flag' : `${bugs} bugs have a flag`} of this name
        </a>
      </p>
      <div class="with-trail">
        <div class="stack">
          {isOwn(state) ? (
            <Details place={place} state={state} />
          ) : (
            <p class="muted">It also applies to products of others: you decide where it applies in yours.</p>
          )}
          <section class="card admin-card" aria-label="Where">
            <h2>Where</h2>
            <div class="group-lists">
              <ScopeNames place={place} state={state} list="inclusions" />
              <ScopeNames place={place} state={state} list="exclusions" />
            </div>
            <p class="hint">
              Where it no longer applies, its flags get another type of the same name, or are removed, and the history
              of the bugs says so.
            </p>
          </section>
          {isOwn(state) && <Requests place={place} state={state} />}
          {isOwn(state) && (
            <DeletionZone
              what="flag type"
              name={type.name}
              about="Its flags are removed from all bugs, and their history says so. If it can no longer be set, they stay instead."
              calls={[{ method: 'DELETE', path: `/rest/flag_type/${type.id}`, params: { remove_flags: true } }]}
              nameOf={nameOf}
              onDone={() => {
                place.draft.clear()
                go(`/admin/${FLAG_TYPES_PART}`, 'replace')
                showToast({ kind: 'done', text: `The flag type ${type.name} is deleted.` })
              }}
            />
          )}
        </div>
        <AuditTrail classes={CLASSES} id={type.id} version={place.version} />
      </div>
      <ChangeBar place={place} nameOf={nameOf} />
    </>
  )
}

function Details(props: FlagTypeProps) {
  const [name, description, sortkey] = (['name', 'description', 'sortkey'] as const).map((it) => textOf(props, it))
  const isMultiplicable = switchOf(props, 'is_multiplicable')
  return (
    <section class="card admin-card" aria-label="Details">
      <h2>Details</h2>
      <div class="product-details">
        {name && (
          <Edited value={name}>
            <TextField label="Name" hint="One word, such as review." value={name.value} onText={name.set} />
          </Edited>
        )}
        {description && (
          <Edited value={description}>
            <TextField label="What it means" value={description.value} onText={description.set} />
          </Edited>
        )}
        {sortkey && (
          <Edited value={sortkey}>
            <TextField
              label="Order"
              hint="1 to 32767; the lowest is the first."
              type="number"
              value={sortkey.value}
              onText={sortkey.set}
            />
          </Edited>
        )}
      </div>
      <div class="product-details">
        <EditedCheck
          value={switchOf(props, 'is_active')}
          label="Can be set"
          hint="Without it, flags that are set stay."
        />
        <EditedCheck
          value={isMultiplicable}
          label={`One ${props.state.type.target_type} can have several`}
          hint={isMultiplicable.value === 'no' ? 'Where there are several already, they stay.' : undefined}
        />
      </div>
    </section>
  )
}

function Requests(props: FlagTypeProps) {
  const requestable = switchOf(props, 'is_requestable')
  const specific = switchOf(props, 'is_specifically_requestable')
  const copies = textOf(props, 'cc_list')
  const question = switchOf(props, 'is_question')
  return (
    <section class="card admin-card" aria-label="Who may do what">
      <h2>Who may do what</h2>
      <div class="product-details">
        <EditedCheck value={requestable} label="One can ask for it" />
        {requestable.value === 'yes' && (
          <EditedCheck
            value={specific}
            label="A request can name a person"
            hint={
              specific.value === 'no' && specific.change !== undefined
                ? 'Requests that name a person stay, without the person.'
                : undefined
            }
          />
        )}
        {(requestable.value === 'yes' || question.value === 'yes') && (
          <EditedCheck
            value={question}
            label="It is a question"
            hint="A comment answers it and clears it. It is not granted or denied; what was, stays until it is cleared."
          />
        )}
      </div>
      <div class="product-details">
        <GroupChoice
          {...props}
          name="grant_group"
          label={question.value === 'yes' ? 'Ask for it, besides those below' : 'Grant and deny'}
        />
        {requestable.value === 'yes' && <GroupChoice {...props} name="request_group" label="Ask for it" />}
        {requestable.value === 'yes' && (
          <Edited value={copies}>
            <TextField
              label="Also mail requests to"
              hint="Mail addresses with commas; they need no account."
              value={copies.value}
              onText={copies.set}
            />
          </Edited>
        )}
      </div>
    </section>
  )
}

function GroupChoice(props: FlagTypeProps & { name: 'grant_group' | 'request_group'; label: string }) {
  const { name, label, state } = props
  const group = textOf(props, name)
  const isWithoutEffect = name === 'request_group' && textOf(props, 'grant_group').value === '' && group.value !== ''
  const all = new Set([...state.groups, group.value, textIn(state.type, name)])
  const names = ownGroupsFirst([...all].filter((it) => it !== '').sort())
  return (
    <Edited value={group}>
      <SelectField
        label={label}
        value={group.value}
        options={[{ value: '', name: 'everybody' }, ...names.map((it) => ({ value: it, name: `members of ${it}` }))]}
        {...(isWithoutEffect && { hint: 'Has no effect: everybody may grant, and so ask.' })}
        onChoice={group.set}
      />
    </Edited>
  )
}
