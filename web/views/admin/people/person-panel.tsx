import { addressOf } from '../../../../shared/rest-address.ts'
import { isAdmin } from '../../../core/account/session.ts'
import { goWith, hrefOf } from '../../../core/router.ts'
import { post } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { AuditTrail } from '../changes/audit-trail.tsx'
import { type Account, nameIn } from './account.ts'
import { ActingThings } from './acting-things.tsx'
import { DangerZone } from './danger-zone.tsx'
import { Lately } from './lately.tsx'
import { PersonGroups } from './person-groups.tsx'
import { PersonHead } from './person-head.tsx'
import { RenameButton } from './rename-person.tsx'

/** What one person can do and did, and how to help or stop them. */
export function PersonPanel({ id, onChange }: { id: number; onChange(): void }) {
  const { body, fault, reload } = useData(addressOf('/admin/people', { text: id, limit: 200 }))
  const trail = useData(addressOf('/admin/changes'))
  const account = body?.people.find((it) => it.id === id)
  const changed = () => {
    reload()
    trail.reload()
    onChange()
  }
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  if (account === undefined) return <p class="muted">There is no account with the number {id}.</p>
  return (
    <section class="card person-panel" aria-label={nameIn(account)}>
      <Head account={account} onChange={changed} />
      <PersonGroups account={account} onChange={changed} />
      {isAdmin.value && <Lately id={id} />}
      <ActingThings account={account} onChange={changed} />
      <DangerZone account={account} onChange={changed} />
      {isAdmin.value && (
        <div class="person-part">
          <AuditTrail classes={['Tracker::User', 'Tracker::User::APIKey']} id={id} {...trail.body} />
        </div>
      )}
    </section>
  )
}

function Head({ account, onChange }: { account: Account; onChange(): void }) {
  const { name, can_login } = account
  const sendLink = () =>
    showResult(() => post('/account/password', { login: name }), `A link to choose a password is sent to ${name}.`)
  return (
    <div class="person-part">
      <PersonHead account={account} onClose={() => goWith({ who: undefined })} />
      <div class="row wrap">
        <a class="button button-small" href={hrefOf(`/user/${encodeURIComponent(name)}`)}>
          <Icon name="out" />
          Open the profile
        </a>
        <Button
          size="small"
          icon="mail"
          unavailable={can_login ? undefined : 'A disabled account gets no link.'}
          onClick={() => void sendLink()}
        >
          Send a password link
        </Button>
        <RenameButton account={account} onChange={onChange} />
      </div>
    </div>
  )
}
