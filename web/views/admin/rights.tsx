import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { reasonWithoutFunction } from '../../../shared/system-group-names.ts'
import { isAdmin, me } from '../../core/account/session.ts'
import { useData } from '../../core/server/use-data.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { isFound } from './changes/is-found.ts'

/** Groups that most people need to work with bugs, and what each is for. */
const COMMON = new Map([
  ['canconfirm', 'May confirm bugs'],
  ['editbugs', 'May change all bugs'],
  ['editcomponents', 'May change products and components'],
  ['admin', 'Is an administrator'],
])

/** From this number on a list of groups scrolls, and has a field to find one. */
const MANY = 9

export const GRANTED_GROUPS_CALL = addressOf('/group', {
  include_fields: 'name,description,is_system,may_grant,user_regexp',
})

interface Props {
  chosen: ReadonlySet<string>
  onChoice(groups: ReadonlySet<string>): void
  /** Further groups, with what each is for: those that the account has, also if the reader may not give them. */
  others?: ReadonlyMap<string, string>
}

/** Whether the reader may give a group without a question to the server: users outside of admin give rights that they have. */
export function mayGive(group: string) {
  return isAdmin.value || me.value?.groups.includes(group) === true
}

/** The groups that the reader may give: first those of the installation, then the rights that come with the tracker. */
export function Rights({ chosen, onChoice, others = new Map() }: Props) {
  const groups = useData(GRANTED_GROUPS_CALL).body?.groups ?? []
  const toggle = (group: string) => {
    const next = new Set(chosen)
    if (!next.delete(group)) next.add(group)
    onChoice(next)
  }
  const patterns = new Map(groups.map(({ name, user_regexp }) => [name, user_regexp ?? '']))
  const systemNames = new Set(groups.filter(({ is_system }) => is_system).map(({ name }) => name))
  const offered = groups.filter(
    ({ name, may_grant }) => others.has(name) || (may_grant && reasonWithoutFunction(name) === undefined),
  )
  const own = offered
    .filter(({ name }) => !systemNames.has(name))
    .map(({ name, description }) => ({ name, words: description }))
  const unlisted = [...others].filter(([name]) => !groups.some((it) => it.name === name))
  const rights = [
    ...[...COMMON].filter(([name]) => offered.some((it) => it.name === name)).map(([name, words]) => ({ name, words })),
    ...unlisted.map(([name, words]) => ({ name, words })),
  ]
  const more = offered
    .filter(({ name }) => systemNames.has(name) && !COMMON.has(name))
    .map(({ name, description }) => ({ name, words: reasonWithoutFunction(name) ?? description }))
  const boxes = { chosen, toggle, patterns }
  return (
    <>
      {own.length > 0 && <GroupBoxes legend="Groups" isNameFirst groups={own} {...boxes} />}
      {rights.length > 0 && <GroupBoxes legend="Rights" groups={rights} {...boxes} />}
      {more.length > 0 && (
        <details open={more.some(({ name }) => chosen.has(name))}>
          <summary>More rights</summary>
          <GroupBoxes legend="More rights" isLegendHidden groups={more} {...boxes} />
        </details>
      )}
    </>
  )
}

interface BoxesProps {
  legend: string
  isLegendHidden?: boolean
  groups: readonly { name: string; words: string }[]
  /** People know the names of their own groups, and what rights are for. */
  isNameFirst?: boolean
  chosen: ReadonlySet<string>
  toggle(group: string): void
  /** The regular expression of each group: whoever has a matching address is a member, also without a tick here. */
  patterns: ReadonlyMap<string, string>
}

const MATCHES_EVERYBODY: ReadonlySet<string> = new Set(['.*', '^.*$', '.+', '.', '^', '.*@.*'])

function PatternNote({ pattern }: { pattern: string }) {
  if (pattern === '') return null
  return (
    <span class="faint small rights-pattern">
      {MATCHES_EVERYBODY.has(pattern) ? (
        'Everybody has it by its pattern, with and without the tick.'
      ) : (
        <>
          Everybody whose address matches <bdi>{pattern}</bdi> has it, with and without the tick.
        </>
      )}
    </span>
  )
}

function GroupBoxes({ legend, isLegendHidden, isNameFirst, groups, chosen, toggle, patterns }: BoxesProps) {
  const [typed, setTyped] = useState('')
  const isLong = groups.length >= MANY && !isLegendHidden
  const found = groups.filter(({ name, words }) => isFound(typed, name, words))
  const boxes = found.map(({ name, words }) => (
    <label key={name} class="checkbox-label">
      <input class="checkbox" type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
      <span dir="auto">
        {isNameFirst ? name : words} <span class="faint">{isNameFirst ? words : name}</span>
        <PatternNote pattern={patterns.get(name) ?? ''} />
      </span>
    </label>
  ))
  return (
    <fieldset class="stack rights">
      <legend class={isLegendHidden ? 'visually-hidden' : 'label'}>{legend}</legend>
      {isLong && (
        <input
          class="input"
          type="search"
          aria-label={`Find in ${legend.toLowerCase()}`}
          placeholder="Find a group"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {isLong ? (
        <ScrollRegion class="stack rights-list" label={legend}>
          {boxes}
        </ScrollRegion>
      ) : (
        boxes
      )}
      {found.length === 0 && <p class="muted">No group matches.</p>}
    </fieldset>
  )
}
