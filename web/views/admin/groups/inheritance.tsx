import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { ownGroupsFirst } from '../../../core/account/groups-to-share.ts'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox, matchingOptions } from '../../../parts/combobox.tsx'
import { FieldError } from '../../../parts/field.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { Icon } from '../../../parts/icon.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import type { Place } from '../changes/use-place.ts'
import { FirstRows } from './first-rows.tsx'
import { type GrantList, type GroupState, groupAddress, listOf, pathBetween, people } from './group-state.ts'
import { InheritanceDrawing } from './inheritance-drawing.tsx'

interface Props {
  place: Place<GroupState>
  state: GroupState
}

const HEADINGS: Record<GrantList, string> = {
  member_groups: 'Their members belong here too',
  bless_groups: 'Their members choose who is in it',
  visible_groups: 'Their members see who is in it',
}

const TITLES: Record<GrantList, string> = {
  member_groups: 'groups whose members belong here',
  bless_groups: 'who chooses the members',
  visible_groups: 'who sees the members',
}

const EMPTY: Record<GrantList, string> = {
  member_groups: 'no other group',
  bless_groups: 'only members of admin',
  visible_groups: 'only members of admin',
}

/** The groups next to this one: drawn, as a sentence and as lists, which are also where they are changed. */
export function Inheritance({ place, state }: Props) {
  const { group, uses } = state
  return (
    <section class="card admin-card" aria-label="Inheritance">
      <h2>Inheritance</h2>
      <Sentence state={state} />
      <InheritanceDrawing
        uses={{ ...uses, member_groups: uses.member_groups.filter(({ name }) => name !== 'admin') }}
      />
      <div class="group-lists">
        <GroupNames {...{ place, state }} list="member_groups" />
        <div>
          <h3>Its members also belong to</h3>
          {uses.belongs_to.length === 0 && <p class="faint">no other group</p>}
          <FirstRows rows={uses.belongs_to}>
            {({ name, members }) => (
              <li key={name}>
                <a class="link" dir="auto" href={hrefOf(groupAddress(name))}>
                  {name}
                </a>{' '}
                <span class="faint small">{members !== undefined && people(members)}</span>
              </li>
            )}
          </FirstRows>
        </div>
        <GroupNames {...{ place, state }} list="bless_groups" />
        <GroupNames {...{ place, state }} list="visible_groups" />
      </div>
      <p class="hint">
        Members of admin are in every group.{group.is_bug_group === 0 && ' This group only gives rights.'}
      </p>
    </section>
  )
}

/** In words what the drawing shows. Names are set apart, because they can have any characters. */
function Sentence({ state: { group, uses } }: { state: GroupState }) {
  const into = uses.member_groups.map(({ name }) => name).filter((name) => name !== 'admin')
  const out = uses.belongs_to.map(({ name }) => name)
  return (
    <p class="muted group-names">
      {into.length === 0 ? 'No other group is' : <Names names={into} />}
      {into.length > 0 && (into.length === 1 ? ' is' : ' are')} part of <bdi>{group.name}</bdi>, and it is part of{' '}
      {out.length === 0 ? 'no other group' : <Names names={out} />}. {people(uses.members)} in all.
    </p>
  )
}

/** More than these are named only in the lists. */
const MOST_NAMED = 6

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - MOST_NAMED
  const shown = more > 1 ? names.slice(0, MOST_NAMED) : names
  return (
    <>
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {more > 1 && ` and ${more} more`}
    </>
  )
}

function GroupNames({ place, state, list }: Props & { list: GrantList }) {
  const [isAdding, setAdding] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const button = useFocusBack(isAdding)
  const saved = listOf(state, list)
  const change = place.draft.get(list)
  const wanted = change?.call.params?.[list] as { set: readonly string[] } | undefined
  const now = wanted?.set ?? saved
  const membersOf = (name: string) => {
    const count = state.uses[list].find((it) => it.name === name)?.members
    return count === undefined ? undefined : people(count)
  }
  const set = (names: readonly string[]) => {
    const next = [...names].sort((a, b) => a.localeCompare(b))
    const inOrder = next.every((name) => saved.includes(name)) && next.length === saved.length ? saved : next
    place.change({
      key: list,
      title: TITLES[list],
      before: saved.join(', '),
      after: inOrder.join(', '),
      words: { '': EMPTY[list] },
      call: { method: 'PUT', path: `/rest/group/${state.group.id}`, params: { [list]: { set: inOrder } } },
    })
  }
  const add = async (name: string) => {
    setAdding(false)
    setRefusal(undefined)
    const circle = list === 'member_groups' ? await pathBetween(state.group.name, name) : undefined
    if (circle === undefined) return set([...now, name])
    setRefusal(
      `That would be a circle: ${circle.join(' is part of ')}, so ${name} cannot be part of ${state.group.name}.`,
    )
  }
  const others = state.names.filter(
    (name) =>
      !now.includes(name) && name !== 'admin' && name !== state.group.name && reasonWithoutFunction(name) === undefined,
  )
  return (
    <div class={change && 'is-unsaved'}>
      <h3>{HEADINGS[list]}</h3>
      {now.length === 0 && <p class="faint">{EMPTY[list]}</p>}
      <FirstRows rows={now}>
        {(name) => (
          <li key={name}>
            <a class="link" dir="auto" href={hrefOf(groupAddress(name))}>
              {name}
            </a>{' '}
            <span class="faint small">{saved.includes(name) ? membersOf(name) : 'new'}</span>{' '}
            <Button size="small" kind="quiet" onClick={() => set(now.filter((it) => it !== name))}>
              Remove<span class="visually-hidden"> {name}</span>
            </Button>
          </li>
        )}
      </FirstRows>
      {isAdding ? (
        <Combobox
          label={`Group ${HEADINGS[list].replace('Their', 'whose')}`}
          value=""
          hasFocus
          options={(text) =>
            matchingOptions(
              ownGroupsFirst(others).map((name) => ({ value: name, name })),
              text,
            )
          }
          onChoice={({ value }) => void add(value)}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <button ref={button} type="button" class="button button-small" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          Add a group<span class="visually-hidden"> {HEADINGS[list].replace('Their', 'whose')}</span>
        </button>
      )}
      <div role="alert">{refusal !== undefined && <FieldError error={refusal} />}</div>
      <OldValue change={change} />
    </div>
  )
}
