import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { nameInSentence } from '../../../core/name-in-sentence.ts'
import { hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { controlInWords } from '../products/group-controls.ts'
import { type GroupState, groupAddress, type Uses } from './group-state.ts'

/** What members of the group that a parameter names may do. */
const BY_PARAMETER = new Map([
  ['insidergroup', 'Read and write private comments and attachments'],
  ['timetrackinggroup', 'See and set times and deadlines'],
  ['chartgroup', 'See charts'],
  ['querysharegroup', 'Share searches'],
  ['comment_taggers_group', 'Tag comments'],
  ['edit_comments_admins_group', 'Edit all comments'],
  ['reminders_group', 'Be reminded of bugs'],
  ['webhookgroup', 'Have webhooks'],
  ['factor_group', 'Need a second factor to log in'],
])

interface Line {
  icon: string
  text: string
  address?: string
}

/** What the group opens, in sentences made of the same data as the pages of products, flags and parameters. */
export function Opens({ state }: { state: GroupState }) {
  const { through, through_total } = state.uses
  return (
    <section class="card" aria-label="What it opens">
      <div class="admin-head">
        <h2>What it opens</h2>
      </div>
      <Lines lines={linesOf(state)} />
      {through.map((it) => (
        <section key={it.name} class="group-through" aria-label={`Through ${it.name}`}>
          <h3>
            Through{' '}
            <a class="link" dir="auto" href={hrefOf(groupAddress(it.name))}>
              {it.name}
            </a>
          </h3>
          <Lines lines={openedBy(it, [{ icon: 'users', text: it.description }])} />
        </section>
      ))}
      {through_total > through.length && (
        <p class="admin-note faint">And what {through_total - through.length} more groups open, which it is part of.</p>
      )}
    </section>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul class="group-opens">
      {lines.map(({ icon, text, address }) => (
        <li key={text}>
          <Icon name={icon} />
          {address === undefined ? (
            <span dir="auto">{text}</span>
          ) : (
            <a class="link" dir="auto" href={hrefOf(address)}>
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

type Opened = Pick<Uses, 'name' | 'products' | 'flag_types' | 'parameters'>

/** What a group opens by itself, after what is said of it first. */
function openedBy({ name: group, products, flag_types, parameters }: Opened, first: readonly Line[]): Line[] {
  const ofProducts = products.map(({ product, ...control }) => ({
    icon: 'box',
    text: `${nameInSentence(product)}: ${controlInWords(group, control)}`,
    address: `/admin/products/${encodeURIComponent(product)}#groups`,
  }))
  const ofFlags = flag_types.map(({ name, grants, requests }) => ({
    icon: 'flag',
    text: `Flag ${nameInSentence(name)}: members ${[requests && 'ask for it', grants && 'grant it'].filter(Boolean).join(' and ')}.`,
  }))
  const ofParameters = parameters.map((name) => ({
    icon: 'gear',
    text: BY_PARAMETER.get(name) ?? `Is named by the parameter ${name}`,
    address: `/admin/parameters?search=${name}`,
  }))
  return [...first, ...ofProducts, ...ofFlags, ...ofParameters]
}

function linesOf({ group, uses }: GroupState): Line[] {
  const reason = reasonWithoutFunction(group.name)
  const ofSystem = reason === undefined ? { icon: 'key', text: group.description } : { icon: 'info', text: reason }
  const lines = openedBy(uses, uses.is_system ? [ofSystem] : [])
  if (uses.bugs !== undefined && uses.bugs > 0)
    lines.push({
      icon: 'eye',
      text:
        uses.bugs === 1 ? 'See 1 bug that is restricted to it.' : `See ${uses.bugs} bugs that are restricted to it.`,
      address: `/bugs?${new URLSearchParams({ f1: 'bug_group', o1: 'equals', v1: group.name })}`,
    })
  if (lines.length > 0) return lines
  if (uses.through.length > 0) return [{ icon: 'info', text: 'Nothing by itself.' }]
  const how = group.is_bug_group
    ? 'add it to a product, or restrict a bug to it'
    : 'make it part of another group, or name it in a parameter'
  return [{ icon: 'info', text: `Nothing yet: ${how}.` }]
}
