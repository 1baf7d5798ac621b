import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { currentAddress, hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox, matchingOptions } from '../../../parts/combobox.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import type { Place } from '../changes/use-place.ts'
import { type Control, controlInWords, corrected, NO_CONTROL, SWITCH_TITLES, SWITCHES, USES } from './group-controls.ts'
import type { ProductState } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
}

/** What members of each group may do in the product, as a matrix and in words. */
export function GroupMatrix({ place, state }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [added, setAdded] = useState<readonly string[]>([])
  const { controls, groups } = state
  const section = useRef<HTMLElement>(null)
  // A row stays in its place when something is chosen in it: the next click would be in another group.
  const shownBefore = useRef<readonly string[]>([])
  // The part is drawn after the address was followed.
  useLayoutEffect(() => {
    if (currentAddress.value.hash === 'groups') section.current?.focus()
  }, [])
  if (controls === undefined) return null
  const changed = place.draft.changes.value.flatMap(({ key }) => (key.startsWith('group ') ? key.slice(6) : []))
  const present = new Set([...controls.keys(), ...changed, ...added])
  const names = [...new Set([...shownBefore.current.filter((name) => present.has(name)), ...present])]
  shownBefore.current = names
  const isUnsaved = (name: string) => added.includes(name) && !controls.has(name)
  const others = groups.filter(
    ({ name, is_active, is_bug_group }) => !names.includes(name) && is_active && is_bug_group,
  )
  const hasGroups = groups.some(({ is_active, is_bug_group }) => is_active && is_bug_group)
  const none = hasGroups ? 'Every active group for bugs is here.' : 'There is no active group for bugs yet.'
  const whyNone = others.length === 0 ? none : undefined
  return (
    <section ref={section} class="card" aria-label="Who may do what" id="groups" tabIndex={-1}>
      <div class="admin-head">
        <h2>Who may do what</h2>
        <span class="align-end row wrap">
          {whyNone !== undefined && (
            <span class="muted small">
              {whyNone}{' '}
              <a class="link" href={hrefOf('/admin/groups')}>
                Make {hasGroups ? 'another' : 'one'}
              </a>
            </span>
          )}
          {isAdding ? (
            <Combobox
              label="Group to add"
              value=""
              hasFocus
              options={(text) =>
                matchingOptions(
                  others.map(({ name, description }) => ({ value: name, name, note: description })),
                  text,
                )
              }
              onChoice={({ value }) => {
                setAdded([...added, value])
                setAdding(false)
                requestAnimationFrame(() => document.getElementById(`group ${value}`)?.querySelector('select')?.focus())
              }}
              onCancel={() => setAdding(false)}
            />
          ) : (
            <Button size="small" icon="plus" unavailable={whyNone} onClick={() => setAdding(true)}>
              Add a group
            </Button>
          )}
        </span>
      </div>
      {names.length === 0 && (
        <p class="admin-note muted">No group: everybody sees the bugs, files and comments on them.</p>
      )}
      {names.length > 0 && (
        <div class="group-matrix-box">
          <table class="table admin-table group-matrix">
            <TableHead
              columns={[...USE_COLUMNS.map(([, title]) => title), ...SWITCHES.map((name) => SWITCH_TITLES[name])]}
            />
            {names.map((name) => (
              <Row
                key={name}
                {...{ place, state, name }}
                saved={controls.get(name) ?? NO_CONTROL}
                onRemoval={isUnsaved(name) ? () => setAdded(added.filter((it) => it !== name)) : undefined}
              />
            ))}
          </table>
        </div>
      )}
    </section>
  )
}

/** New bugs that members file, and those of others. */
const USE_COLUMNS = [
  ['membercontrol', 'Bugs of members'],
  ['othercontrol', 'Bugs of others'],
] as const

interface RowProps extends Props {
  name: string
  saved: Control
  /** Of a group that was just added: it is only saved with something that is chosen for it. */
  onRemoval: (() => void) | undefined
}

function Row({ place, state, name, saved, onRemoval }: RowProps) {
  const [note, setNote] = useState<string>()
  const key = `group ${name}`
  const change = place.draft.get(key)
  const control = { ...saved, ...(change?.call.params as Partial<Control> | undefined) }
  const isUnused = onRemoval !== undefined && change === undefined
  const before = controlInWords(name, saved)
  const sentence = controlInWords(name, control)
  const set = (next: Control, why?: string) => {
    setNote(why)
    const { entry, membercontrol, othercontrol, canedit, editcomponents, editbugs, canconfirm } = next
    const params = { entry, membercontrol, othercontrol, canedit, editcomponents, editbugs, canconfirm }
    const path = `/rest/product/${state.product.id}/group_control/${encodeURIComponent(name)}`
    place.change({
      key,
      title: `what ${name} may do`,
      before,
      after: controlInWords(name, next),
      call: { method: 'PUT', path, params },
    })
  }
  const setUse = (touched: 'membercontrol' | 'othercontrol', value: string) => {
    const next = corrected({ ...control, [touched]: value }, touched)
    set(next.control, next.note)
  }
  return (
    <tbody class={change && 'is-unsaved'} id={key}>
      <tr class="group-sentence">
        <th scope="rowgroup" colSpan={SWITCHES.length + USE_COLUMNS.length}>
          <bdi class="group-name">{name}</bdi>
          <span dir="auto">{sentence}</span>{' '}
          {change !== undefined && (
            <span class="changed-value">
              was: <s dir="auto">{before}</s>
            </span>
          )}{' '}
          <span role="status" class="group-note">
            {isUnused ? 'There is nothing to save yet: choose below what this group is for.' : note}
          </span>
          {isUnused && (
            <Button kind="quiet" size="small" onClick={onRemoval}>
              Take away<span class="visually-hidden"> {name}</span>
            </Button>
          )}
        </th>
      </tr>
      <tr class="group-cells">
        {USE_COLUMNS.map(([which, title]) => (
          <td key={which} data-label={title}>
            <select
              class="input select"
              aria-label={`${name}: bugs of ${which === 'membercontrol' ? 'members' : 'others'}`}
              value={control[which]}
              onChange={(event) => setUse(which, event.currentTarget.value)}
            >
              {USES.map((use) => (
                <option key={use.value} value={use.value}>
                  {use.name}
                </option>
              ))}
            </select>
          </td>
        ))}
        {SWITCHES.map((which) => (
          <td key={which} data-label={SWITCH_TITLES[which]}>
            <button
              type="button"
              class={control[which] ? 'group-cell is-on' : 'group-cell'}
              aria-label={`${name}: ${SWITCH_TITLES[which]}`}
              aria-pressed={control[which]}
              onClick={() => set({ ...control, [which]: !control[which] })}
            >
              {control[which] ? <Icon name="check" /> : <span aria-hidden="true">·</span>}
            </button>
          </td>
        ))}
      </tr>
    </tbody>
  )
}
