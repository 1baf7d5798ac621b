import type { ComponentType } from 'preact'
import type { View as Address } from '../../shared/addresses.ts'
import { isAdmin, managesAccounts, me } from '../core/account/session.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { type RailEntry, RailPage } from '../parts/rail.tsx'
import { Empty } from '../parts/states.tsx'
import { Mail } from './admin/mail.tsx'
import { People } from './admin/people.tsx'
import { Products } from './admin/products.tsx'

interface AdminPart extends RailEntry {
  part: string
  Part: ComponentType
}

/** The pages of the administration, in the order of the rail. */
const PARTS: readonly AdminPart[] = [
  { part: 'products', title: 'Products', icon: 'box', group: 'Who and what', Part: Products },
  { part: 'people', title: 'People', icon: 'user', group: 'Who and what', Part: People },
  { part: 'mail', title: 'Mail', icon: 'mail', group: 'This installation', Part: Mail },
].map((entry) => ({ ...entry, address: `/admin/${entry.part}` }))

/** What a new installation needs before people can use it. Everything else is in the REST API. */
export function View({ parts }: { parts: Address['parts'] }) {
  const allowed = isAdmin.value ? PARTS : PARTS.filter(({ part }) => part === 'people' && managesAccounts.value)
  const shown = parts.part === undefined ? allowed[0] : allowed.find(({ part }) => part === parts.part)
  useTitle(shown === undefined ? 'Administration' : `${shown.title}, administration`)
  if (shown === undefined) return <NotForYou />
  return (
    <RailPage name="Administration" entries={allowed} current={shown}>
      <shown.Part />
      <p class="faint small">
        Groups, fields, the workflow, flags and everything else are changed through the{' '}
        <a class="link" href={hrefOf('/rest/docs')}>
          REST API
        </a>
        .
      </p>
    </RailPage>
  )
}

function NotForYou() {
  return (
    <main id="main" class="page page-form stack-large">
      <h1>Administration</h1>
      <Refusal />
    </main>
  )
}

function Refusal() {
  if (me.value !== undefined)
    return (
      <Empty icon="lock" title="This is for administrators">
        <p>Members of the group admin can change products, people and settings, and members of editusers people.</p>
      </Empty>
    )
  return (
    <Empty icon="lock" title="Log in to administer the tracker">
      <a class="button button-primary" href={hrefOf(`/login?to=${encodeURIComponent(currentAddress.value.path)}`)}>
        Log in
      </a>
    </Empty>
  )
}
