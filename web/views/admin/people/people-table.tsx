import { goWith, hrefOf, query } from '../../../core/router.ts'
import { shortDate } from '../../../core/times.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Avatar } from '../../../parts/person.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { type Account, nameIn } from './account.ts'

export function PeopleTable({ people, current }: { people: readonly Account[]; current: number | undefined }) {
  const hasFactors = people.some(({ has_factor }) => has_factor !== null)
  return (
    <div class="scroll-box card">
      <table class="table admin-table stacked-table people-table">
        <TableHead columns={['Person', 'Groups', ...(hasFactors ? ['Second factor'] : []), 'Last seen']} />
        <tbody>
          {people.map((it) => (
            <Row key={it.id} account={it} isCurrent={it.id === current} hasFactors={hasFactors} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ account, isCurrent, hasFactors }: { account: Account; isCurrent: boolean; hasFactors: boolean }) {
  const { id, name, can_login, groups, has_factor, last_seen } = account
  const search = new URLSearchParams(query.value)
  search.set('who', String(id))
  const given = groups.filter(({ source }) => source === 'direct').map((group) => group.name)
  return (
    <tr class={isCurrent ? 'is-unsaved' : undefined} onClick={() => goWith({ who: String(id) })}>
      <th scope="row">
        <a class="person-link" href={hrefOf(`/admin/people?${search}`)} aria-current={isCurrent ? 'true' : undefined}>
          <Avatar id={id} name={nameIn(account)} />
          <span>
            <b dir="auto">{nameIn(account)}</b> {nameIn(account) !== name && <span class="faint">{name}</span>}
          </span>
        </a>
        {!can_login && <span class="badge">disabled</span>}
      </th>
      <td dir="auto" data-label="Groups">
        {given.join(', ')}
      </td>
      {hasFactors && (
        <td data-label="Second factor">
          {has_factor ? (
            <span class="people-good">
              <Icon name="check" size="small" />
              yes
            </span>
          ) : (
            'no'
          )}
        </td>
      )}
      <td class="faint" data-label="Last seen">
        {last_seen === null ? 'never' : shortDate(last_seen)}
      </td>
    </tr>
  )
}
