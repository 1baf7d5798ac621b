import { useEffect, useRef, useState } from 'preact/hooks'
import { me } from '../../core/account/session.ts'
import { currentAddress, hrefOf } from '../../core/router.ts'
import type { Bug } from '../../core/server/types.ts'
import { exactTime, timeAgo } from '../../core/times.ts'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { AccessDialog } from './access/late-access-dialog.ts'
import { cloneAddress } from './actions-menu.tsx'
import type { BugStore } from './bug-store.ts'
import { Group } from './group.tsx'
import { isSet, type Property, propertyGroups } from './properties/properties.ts'
import { PropertyRow } from './properties/property-row.tsx'
import { Requests } from './status/flag-actions.tsx'
import { useBug, useBugStore } from './use-bug.ts'

const Hours = late(async () => (await import('./properties/hours.tsx')).Hours)
const WhoSees = late(async () => (await import('./access/who-sees.tsx')).WhoSees)
const Code = late(async () => (await import('./code/code.tsx')).Code)
const Votes = late(async () => (await import('./votes/votes.tsx')).Votes)

/** All fields, in the order of the questions that people have. */
export function Side({ label = 'Fields' }: { label?: string }) {
  const store = useBugStore()
  const bug = useBug()
  const groups = propertyGroups(bug, store.fields.value)
  const panel = useRef<HTMLElement>(null)
  useWhy(store, panel)
  const isShown = (property: Property) =>
    property.isAlways ||
    isSet(bug, property) ||
    store.editing.value === property.name ||
    store.conflicts.value.has(property.name)
  const shown = (properties: readonly Property[]) => properties.filter(isShown)
  const rows = (properties: readonly Property[]) => (
    <dl class="properties">
      {shown(properties).map((property) => (
        <PropertyRow key={property.name} property={property} />
      ))}
    </dl>
  )
  const empty = Object.values(groups)
    .flat()
    .filter(
      (property) =>
        !isShown(property) && property.kind !== 'fixed' && (store.may(property.name) || isTag(store, property)),
    )
  return (
    <aside class="side-panel" aria-label={label} ref={panel}>
      {bug.groups.length > 0 && <Lock />}
      <Group title="People">{rows(groups.people)}</Group>
      <Requests />
      <Group title="Where">{rows(groups.where)}</Group>
      {shown(groups.what).length > 0 && <Group title="What">{rows(groups.what)}</Group>}
      {shown(groups.links).length > 0 && (
        <Group title="Links">
          {rows(groups.links)}
          <a
            class="button button-quiet button-small property-group-add"
            href={hrefOf(`${currentAddress.value.path}?view=tree`)}
          >
            <Icon name="tree" />
            Tree and graph
          </a>
        </Group>
      )}
      {hasCode(store, bug) && <Code id={bug.id} />}
      {(shown(groups.time).length > 0 || (bug.actual_time ?? 0) > 0) && (
        <Group title="Time">
          {bug.actual_time !== undefined && <Hours />}
          {rows(groups.time)}
        </Group>
      )}
      {/* They come later, below the rest: the votes with an answer of their own, the others depend on the rights of the reader. */}
      {bug.votes !== undefined && store.asOf.value === undefined && <Votes id={bug.id} />}
      {store.isAccessKnown.value && (
        <>
          {empty.length > 0 && <NotSet properties={empty} />}
          {mayHaveGroups(store, bug) && <WhoSees />}
          <Foot />
        </>
      )}
    </aside>
  )
}

/** Whether changes or commits name the bug, or an attachment is the address of one. */
function hasCode(store: BugStore, { code_state: states = [] }: Bug) {
  return states.length > 0 || store.attachments.value.some((it) => LINK_TYPE.test(it.content_type))
}

const LINK_TYPE = /^text\/x-(git|forgejo|gerrit|phabricator)/

/** Whether the bug is in groups, or the reader may put it into some. */
function mayHaveGroups(store: BugStore, bug: Bug) {
  if (me.value === undefined || store.access.value === undefined) return false
  return (
    bug.groups.length > 0 || (store.asOf.value === undefined && (store.access.value.addable_groups ?? []).length > 0)
  )
}

function Foot() {
  const store = useBugStore()
  const bug = useBug()
  return (
    <div class="side-panel-foot faint small">
      <span title={exactTime(bug.creation_time)}>Filed {timeAgo(bug.creation_time)}</span> ·{' '}
      <span title={exactTime(bug.last_change_time)}>changed {timeAgo(bug.last_change_time)}</span>
      <br />
      <a class="link" href={hrefOf(`${currentAddress.value.path}?view=history`)}>
        History
      </a>{' '}
      ·{' '}
      <a class="link" href={hrefOf(`${currentAddress.value.path}?as_of=${encodeURIComponent(bug.creation_time)}`)}>
        As it was on…
      </a>{' '}
      ·{' '}
      <a class="link" href={hrefOf(cloneAddress(store))}>
        Clone
      </a>
    </div>
  )
}

/** The reader's own tags need no right. */
function isTag(store: BugStore, { name }: Property) {
  return name === 'tags' && store.asOf.value === undefined && store.access.value !== undefined
}

/** A click on a value that cannot be changed says why. */
function useWhy(store: BugStore, panel: { current: HTMLElement | null }) {
  useEffect(() => {
    const ask = async (event: MouseEvent) => {
      const target = event.target as Element
      const cell = target.closest<HTMLElement>('[data-field]')
      if (cell === null || cell.classList.contains('is-editable') || target.closest('a, button') !== null) return
      await store.loadAccess()
      store.asked.value = cell.dataset.field
    }
    const element = panel.current
    element?.addEventListener('click', ask)
    return () => element?.removeEventListener('click', ask)
  }, [store])
}

function Lock() {
  const [isAsking, setAsking] = useState(false)
  return (
    <div class="note note-secret side-panel-access">
      <Icon name="lock" size="small" />
      <div>
        <b>Not public</b>
        <button type="button" class="button-plain secret underlined" onClick={() => setAsking(true)}>
          Who, and why
        </button>
      </div>
      {isAsking && <AccessDialog onClose={() => setAsking(false)} />}
    </div>
  )
}

function NotSet({ properties }: { properties: readonly Property[] }) {
  const store = useBugStore()
  return (
    <div class="property-group-empty">
      <span class="faint small">Not set:</span>
      {properties.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          class="chip chip-add"
          data-add={name}
          onClick={() => {
            store.editing.value = name
          }}
        >
          <Icon name="plus" size="tiny" />
          {label}
        </button>
      ))}
    </div>
  )
}
