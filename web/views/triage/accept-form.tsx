import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { ALL_PRODUCTS_CALL, FIELDS_CALL, productCall } from '../../../shared/first-calls.ts'
import { me } from '../../core/account/session.ts'
import { useKeys } from '../../core/keys.ts'
import type { Bug } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Field, SelectField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { peopleLike } from '../../parts/options.ts'
import { nameOf } from '../../parts/person.tsx'
import { type ProposedField, proposalsFrom } from './proposals.ts'
import { duplicatesCall, type TriageQueue, type TriageStore } from './triage-store.ts'

interface Props {
  store: TriageStore
  queue: TriageQueue
  bug: Bug
  button: RefObject<HTMLButtonElement | null>
}

const FIELDS = [
  ['product', 'Product'],
  ['component', 'Component'],
  ['severity', 'Severity'],
  ['priority', 'Priority'],
  ['assigned_to', 'Assignee'],
  ['type', 'Type'],
] as const

type Name = (typeof FIELDS)[number][0]

/** What a triaged bug gets, in one row and one change. */
export function AcceptForm({ store, queue, bug, button }: Props) {
  const [chosen, setChosen] = useState<Partial<Record<Name, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const chosenOf = (name: Name) => chosen[name] ?? String(bug[name] ?? '')
  const product = useData(productCall(chosenOf('product'))).body?.products[0]
  const products = useData(ALL_PRODUCTS_CALL).body?.products ?? []
  const fields = useData(FIELDS_CALL).body?.fields ?? []
  const choose = (name: Name) => (value: string) =>
    setChosen({ ...chosen, [name]: value, ...(name === 'product' && { component: '' }) })
  const focusField = (name: Name) =>
    form.current?.querySelector<HTMLElement>(`[data-field=${name}] :is(select, input)`)?.focus()
  const accept = () => {
    if (chosenOf('component') === '') return focusField('component')
    const changed = Object.entries(chosen).filter(([name, value]) => value !== String(bug[name as Name] ?? ''))
    const moved = 'product' in Object.fromEntries(changed) && product !== undefined
    return store.decide(bug, 'accepted', {
      ...Object.fromEntries(changed),
      ...(moved && versionsFor(bug, product)),
      ...statusFor(bug, fields),
    })
  }
  const options: Readonly<Record<Exclude<Name, 'assigned_to'>, readonly string[]>> = {
    product: products.map(({ name }) => name),
    component: (product?.components ?? []).filter((it) => it.is_active).map(({ name }) => name),
    severity: valuesOf(fields, 'bug_severity'),
    priority: valuesOf(fields, 'priority'),
    type: valuesOf(fields, 'bug_type'),
  }
  const likely = useData(duplicatesCall(bug)).body?.bugs ?? []
  // The likely duplicates are of the bug's product, and so are their components.
  const proposals = chosenOf('product') === bug.product ? proposalsFrom(bug, likely, options) : {}
  const open = FIELDS.flatMap(([name, label]) => {
    const proposal = proposals[name as ProposedField]
    return proposal === undefined || name in chosen ? [] : [{ name, label, ...proposal }]
  })
  const take = (some: typeof open) => {
    setChosen({ ...chosen, ...Object.fromEntries(some.map(({ name, value }) => [name, value])) })
    button.current?.focus()
  }
  useKeys([
    { keys: 'a', what: 'Accept the bug', run: () => void accept() },
    { keys: 'p', what: 'Take the proposed values', run: () => open.length > 0 && take(open) },
    ...FIELDS.map(([name, label], place) => ({
      keys: String(place + 1),
      what: `Choose: ${label}`,
      run: (event: KeyboardEvent) => {
        event.preventDefault()
        focusField(name)
      },
    })),
  ])
  const near = [
    ...(queue.rotation?.turns[0]?.person == null ? [] : [queue.rotation.turns[0].person]),
    bug.assigned_to_detail,
  ]
  return (
    <form
      ref={form}
      class="card triage-accept"
      aria-label="Accept"
      onSubmit={(event) => {
        event.preventDefault()
        void accept()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') button.current?.focus()
      }}
    >
      <div class="triage-fields">
        {FIELDS.map(([name, label]) => (
          <div key={name} data-field={name}>
            {name === 'assigned_to' ? (
              <Field label={label}>
                {(ids) => (
                  <Combobox
                    {...ids}
                    label={label}
                    value={nameIn(near, chosenOf(name))}
                    options={(text) => peopleLike(text, near)}
                    onChoice={({ value }) => choose(name)(value)}
                  />
                )}
              </Field>
            ) : (
              <SelectField
                label={label}
                value={chosenOf(name)}
                options={withValue(options[name], chosenOf(name))}
                onChoice={choose(name)}
              />
            )}
          </div>
        ))}
        <button
          ref={button}
          type="submit"
          class={store.isBusy.value ? 'button button-primary is-busy' : 'button button-primary'}
          title="Key: a"
        >
          <Icon name="check" />
          Accept <kbd class="only-wide">A</kbd>
        </button>
      </div>
      {open.length > 0 && (
        <div class="row triage-proposals" role="group" aria-label="Proposed values">
          {open.map((proposal) => (
            <button key={proposal.name} type="button" class="button button-small" onClick={() => take([proposal])}>
              {proposal.label}: <span dir="auto">{proposal.value}</span>
            </button>
          ))}
          <span class="hint">
            Most likely duplicates have {open.length === 1 ? 'this value' : 'these values'}. Only what you take is saved
            <span class="only-wide">
              : <kbd>P</kbd> takes {open.length === 1 ? 'it' : 'them'}
            </span>
            .
          </span>
        </div>
      )}
    </form>
  )
}

type Fields = readonly {
  name: string
  values?: readonly { name: string | null; is_open?: boolean; can_change_to?: readonly { name: string | null }[] }[]
}[]

function valuesOf(fields: Fields, name: string): string[] {
  return (fields.find((field) => field.name === name)?.values ?? []).flatMap((value) => value.name ?? [])
}

/** The value of the bug may no longer be one of the values that can be chosen. */
function withValue(values: readonly string[], value: string) {
  const names = values.includes(value) ? values : [value, ...values]
  return names.map((name) => ({ value: name, name: name === '' ? 'Choose…' : name }))
}

function nameIn(near: readonly { name: string; real_name: string }[], login: string) {
  const known = [...near, ...(me.value === undefined ? [] : [me.value])].find(({ name }) => name === login)
  return known === undefined ? login : nameOf(known)
}

/** A bug that nobody has confirmed is confirmed, where the workflow goes on from there to an open status. */
function statusFor(bug: Bug, fields: Fields) {
  if (bug.is_confirmed) return {}
  const statuses = fields.find(({ name }) => name === 'bug_status')?.values ?? []
  const now = statuses.find(({ name }) => name === bug.status)
  const open = now?.can_change_to?.find(({ name }) => statuses.find((it) => it.name === name)?.is_open)
  return open?.name == null ? {} : { status: open.name }
}

/** In another product: the same version and milestone if it has them, else its first version and its default milestone. */
function versionsFor(
  bug: Bug,
  product: {
    versions?: readonly { name: string; is_active: boolean }[]
    default_milestone?: string
    milestones?: readonly { name: string }[]
  },
) {
  const versions = (product.versions ?? []).filter((it) => it.is_active)
  const hasMilestone = product.milestones?.some(({ name }) => name === bug.target_milestone)
  return {
    version: versions.some(({ name }) => name === bug.version) ? bug.version : (versions[0]?.name ?? bug.version),
    ...(!hasMilestone && product.default_milestone !== undefined && { target_milestone: product.default_milestone }),
  }
}
