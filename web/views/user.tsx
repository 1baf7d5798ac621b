import type { View as Address } from '../../shared/addresses.ts'
import { openBugsCall, userCall } from '../../shared/first-calls.ts'
import { absenceInWords, absencesCall } from '../core/account/absences.ts'
import { isAdmin, managesAccounts } from '../core/account/session.ts'
import { reportedBugsCall } from '../core/bugs/searches.ts'
import { hrefOf } from '../core/router.ts'
import { isSignedIn } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { BugRows } from '../parts/bug-rows.tsx'
import { Avatar, nameOf } from '../parts/person.tsx'
import { LoadingPage, Refused, RefusedPage, Skeleton } from '../parts/states.tsx'
import { Account } from './user/account.tsx'
import { Activity } from './user/activity.tsx'
import { Services } from './user/services.tsx'

const MOST = 15

export function View({ parts }: { parts: Address['parts'] }) {
  const login = parts.user ?? ''
  const { body, fault, reload } = useData(userCall(login))
  const user = body?.users[0]
  useTitle(user === undefined ? login : nameOf({ name: login, real_name: user.real_name ?? '' }))
  if (fault !== undefined && user === undefined) return <RefusedPage fault={fault} retry={reload} />
  if (user === undefined) return <LoadingPage />
  const name = nameOf({ name: login, real_name: user.real_name ?? '' })
  return (
    <main id="main" class="page">
      <div class="row">
        <Avatar id={user.id ?? 0} name={name} size={48} />
        <div>
          <h1 dir="auto">{name}</h1>
          <p class="faint">{user.name}</p>
          {isSignedIn.value && <Away login={login} />}
        </div>
      </div>
      <Bugs
        title="Open bugs"
        call={openBugsCall(login, MOST)}
        search={{ assigned_to: login, bug_status: '__open__' }}
        empty="No open bug that you may see."
      />
      <Bugs
        title="Reported"
        call={reportedBugsCall(login, MOST)}
        search={{ creator: login }}
        empty="No bug that you may see."
      />
      {managesAccounts.value && user.id !== undefined && (
        <>
          <Account key={`${user.id} ${user.name}`} user={user} onSaved={reload} />
          <Services key={user.id} id={user.id} />
        </>
      )}
      {isAdmin.value && user.id !== undefined && <Activity key={user.id} id={user.id} name={name} />}
    </main>
  )
}

/** When the person is away. */
function Away({ login }: { login: string }) {
  const absences = useData(absencesCall(login)).body?.absences ?? []
  return (
    <>
      {absences.map((absence) => (
        <p key={absence.id}>
          <span class={absence.is_now ? 'badge badge-warn' : 'badge'}>{absence.is_now ? 'Away' : 'Will be away'}</span>{' '}
          {absenceInWords(absence)}
          {absence.note !== '' && (
            <>
              {': '}
              <bdi>{absence.note}</bdi>
            </>
          )}
        </p>
      ))}
    </>
  )
}

interface BugsProps {
  title: string
  call: ReturnType<typeof openBugsCall>
  search: Record<string, string>
  empty: string
}

function Bugs({ title, call, search, empty }: BugsProps) {
  const { body, fault, reload } = useData(call)
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <a class="link small align-end" href={hrefOf(`/bugs?${new URLSearchParams(search)}`)}>
          As a list
        </a>
      </div>
      {body === undefined ? (
        fault === undefined ? (
          <Skeleton rows={3} />
        ) : (
          <Refused fault={fault} retry={reload} />
        )
      ) : (body.bugs ?? []).length === 0 ? (
        <p class="card empty-line">{empty}</p>
      ) : (
        <BugRows bugs={body.bugs ?? []} />
      )}
    </section>
  )
}
