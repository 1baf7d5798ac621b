import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { goWith, hrefOf, query } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Avatar } from '../../../parts/person.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameIn } from '../people/account.ts'
import { MOST_OF_A_KIND } from './activity.ts'

type NewAccount = Answer<'GET /admin/new_accounts'>['accounts'][number]

const AT_ONCE = 50
const MOST = 200
/** Accounts are new for so long at most. */
const MOST_DAYS = 90

/** The accounts that were made lately, with how much each wrote: a wave of spam is seen here first. */
export function NewAccounts({ days }: { days: number }) {
  const onlyWriters = query.value.get('writers') === 'yes'
  const [limit, setLimit] = useState(AT_ONCE)
  useEffect(() => setLimit(AT_ONCE), [days, onlyWriters])
  const shownDays = Math.min(days, MOST_DAYS)
  const { body, fault, reload } = useData(
    addressOf('/admin/new_accounts', { days: shownDays, limit, ...(onlyWriters && { has_written: true }) }),
  )
  return (
    <section class="stack" aria-label="New accounts">
      <div class="row wrap">
        <h2 class="grow">New accounts</h2>
        <label class="checkbox-label">
          <input
            class="checkbox"
            type="checkbox"
            checked={onlyWriters}
            onChange={({ currentTarget }) => goWith({ writers: currentTarget.checked ? 'yes' : undefined })}
          />
          <span>Only who wrote something</span>
        </label>
      </div>
      {body === undefined && (fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />)}
      {body?.total === 0 && (
        <Empty icon="users" title={onlyWriters ? 'No new account wrote something' : 'No new accounts'}>
          <p>None was created in the last {shownDays === 1 ? 'day' : `${shownDays} days`}.</p>
        </Empty>
      )}
      {body !== undefined && body.total > 0 && (
        <>
          <AccountTable accounts={body.accounts} />
          <p class="faint" role="status">
            {body.accounts.length} of {body.total.toLocaleString()} in{' '}
            {shownDays === 1 ? 'one day' : `${shownDays} days`}, the youngest first.{' '}
            {body.accounts.length < body.total && limit < MOST && (
              <Button size="small" onClick={() => setLimit(MOST)}>
                Show more
              </Button>
            )}
          </p>
        </>
      )}
    </section>
  )
}

function AccountTable({ accounts }: { accounts: readonly NewAccount[] }) {
  return (
    <div class="scroll-box card">
      <table class="table admin-table misuse-accounts">
        <TableHead
          columns={['Person', 'Created', 'Bugs', 'Comments', { title: 'Attachments', isMinor: true }, 'State']}
        />
        <tbody>
          {accounts.map((account) => (
            <Row key={account.id} account={account} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ account }: { account: NewAccount }) {
  const { id, name, can_login, created_at, is_limited, has_hidden, bugs, comments, attachments } = account
  const search = new URLSearchParams(query.value)
  search.set('who', String(id))
  return (
    <tr>
      <th scope="row">
        <a class="person-link" href={hrefOf(`/admin/misuse?${search}`)}>
          <Avatar id={id} name={nameIn(account)} />
          <span>
            <b dir="auto">{nameIn(account)}</b> {nameIn(account) !== name && <span class="faint">{name}</span>}
          </span>
        </a>
      </th>
      <td class="faint">
        <Time at={created_at} />
      </td>
      <Count count={bugs} />
      <Count count={comments} />
      <Count count={attachments} isMinor />
      <td>
        <span class="row wrap">
          {!can_login && <span class="badge">disabled</span>}
          {has_hidden && <span class="badge">hidden</span>}
          {is_limited && <span class="badge badge-accent">limited</span>}
        </span>
      </td>
    </tr>
  )
}

/** What is minor is left out on a phone. */
function Count({ count, isMinor = false }: { count: number; isMinor?: boolean }) {
  const classes = [count === 0 && 'faint', isMinor && 'only-wide'].filter(Boolean).join(' ')
  return (
    <td class={classes}>{count >= MOST_OF_A_KIND ? `${count.toLocaleString()} or more` : count.toLocaleString()}</td>
  )
}
