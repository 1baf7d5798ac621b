import { isAdmin, me } from '../../core/account/session.ts'

/** Groups that most people need to work with bugs, and what each is for. */
const COMMON = new Map([
  ['canconfirm', 'May confirm bugs'],
  ['editbugs', 'May change all bugs'],
  ['editcomponents', 'May change products and components'],
  ['admin', 'Is an administrator'],
])

interface Props {
  chosen: ReadonlySet<string>
  onChoice(groups: ReadonlySet<string>): void
  /** Further groups, with what each is for. */
  others?: ReadonlyMap<string, string>
  isOffered?(group: string): boolean
}

/** Users outside of admin give only rights that they have. */
export function mayGive(group: string) {
  return isAdmin.value || me.value?.groups.includes(group) === true
}

export function Rights({ chosen, onChoice, others = new Map(), isOffered = () => true }: Props) {
  const toggle = (group: string) => {
    const next = new Set(chosen)
    if (!next.delete(group)) next.add(group)
    onChoice(next)
  }
  const offered = [...new Map([...others, ...COMMON])].filter(([group]) => isOffered(group))
  if (offered.length === 0) return null
  return (
    <fieldset class="stack rights">
      <legend class="label">Rights</legend>
      {offered.map(([group, words]) => (
        <label key={group} class="checkbox-label">
          <input class="checkbox" type="checkbox" checked={chosen.has(group)} onChange={() => toggle(group)} />
          <span>
            {words} <span class="faint">{group}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
