import type { ComponentType } from 'preact'
import type { View as Address } from '../../shared/addresses.ts'
import { isAdmin, managesAccounts, me } from '../core/account/session.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { Empty } from '../parts/states.tsx'
import { Mail } from './admin/mail.tsx'
import { People } from './admin/people.tsx'
import { Products } from './admin/products.tsx'

const PARTS: readonly { part: string; title: string; Part: ComponentType }[] = [
  { part: 'products', title: 'Products and components', Part: Products },
  { part: 'people', title: 'People', Part: People },
  { part: 'mail', title: 'Mail and address', Part: Mail },
]

/** What a new installation needs before people can use it. Everything else is in the REST API. */
export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('Administration')
  const allowed = isAdmin.value ? PARTS : PARTS.filter(({ part }) => part === 'people' && managesAccounts.value)
  const shown = parts.part === undefined ? allowed[0] : allowed.find(({ part }) => part === parts.part)
  return (
    <main id="main" class="page page-form stack-large">
      <h1>Administration</h1>
      {shown !== undefined ? (
        <>
          <nav class="tabs" aria-label="Parts of the administration">
            {allowed.map(({ part, title }) => (
              <a key={part} href={hrefOf(`/admin/${part}`)} aria-current={part === shown.part ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
          <shown.Part />
          <p class="faint small">
            Groups, fields, the workflow, flags and everything else are changed through the{' '}
            <a class="link" href={hrefOf('/rest/docs')}>
              REST API
            </a>
            .
          </p>
        </>
      ) : (
        <NotForYou />
      )}
    </main>
  )
}

function NotForYou() {
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
