import { hrefOf } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { controlInWords } from '../products/group-controls.ts'
import type { GroupState } from './group-state.ts'

/** What members of the group that a parameter names may do. */
const BY_PARAMETER = new Map([
  ['insidergroup', 'Read and write private comments and attachments'],
  ['timetrackinggroup', 'See and set times and deadlines'],
  ['chartgroup', 'See charts'],
  ['querysharegroup', 'Share searches'],
  ['comment_taggers_group', 'Tag comments'],
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
  const lines = linesOf(state)
  return (
    <section class="card" aria-label="What it opens">
      <div class="admin-head">
        <h2>What it opens</h2>
      </div>
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
    </section>
  )
}

function linesOf({ group, uses }: GroupState): Line[] {
  const lines: Line[] = []
  if (uses.is_system) lines.push({ icon: 'key', text: group.description })
  for (const { product, ...control } of uses.products)
    lines.push({
      icon: 'box',
      text: `${product}: ${controlInWords(group.name, control)}`,
      address: `/admin/products/${encodeURIComponent(product)}#groups`,
    })
  for (const { name, grants, requests } of uses.flag_types)
    lines.push({
      icon: 'flag',
      text: `Flag ${name}: members ${[requests && 'ask for it', grants && 'grant it'].filter(Boolean).join(' and ')}.`,
    })
  for (const name of uses.parameters)
    lines.push({
      icon: 'gear',
      text: BY_PARAMETER.get(name) ?? `Is named by the parameter ${name}`,
      address: `/admin/parameters?search=${name}`,
    })
  if (uses.bugs !== undefined && uses.bugs > 0)
    lines.push({
      icon: 'eye',
      text:
        uses.bugs === 1 ? 'See 1 bug that is restricted to it.' : `See ${uses.bugs} bugs that are restricted to it.`,
      address: `/bugs?${new URLSearchParams({ f1: 'bug_group', o1: 'equals', v1: group.name })}`,
    })
  for (const { name } of uses.belongs_to)
    lines.push({ icon: 'users', text: `All that ${name} opens`, address: `/admin/groups/${encodeURIComponent(name)}` })
  if (lines.length > 0) return lines
  const how = group.is_bug_group
    ? 'add it to a product, or restrict a bug to it'
    : 'make it part of another group, or name it in a parameter'
  return [{ icon: 'info', text: `Nothing yet: ${how}.` }]
}
