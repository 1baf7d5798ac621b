import { useRef } from 'preact/hooks'
import { AdminForm } from '../form.tsx'
import { Rights } from '../rights.tsx'
import { AddressesField, InvitationList } from './invitations.tsx'
import { type Invitation, type InvitationRow, useInvitations } from './use-invitations.ts'

/** Many accounts in one step. What becomes of each address is shown before anybody gets a mail. */
export function InvitePeople({ onMade }: { onMade(): void }) {
  const invitations = useInvitations()
  const { text, rows, state } = invitations
  const status = useRef<HTMLParagraphElement>(null)
  const isNew = state === 'planned' ? rows.filter(({ invitation }) => invitation.result === 'new').length : 0
  const send = async () => {
    if (text.trim() === '') throw new Error('Write or paste the addresses first.')
    if (isNew === 0) {
      await invitations.check()
    } else {
      await invitations.send()
      onMade()
    }
    requestAnimationFrame(() => status.current?.focus())
  }
  return (
    <AdminForm
      title="Invite several people"
      action={isNew > 0 ? `Invite ${peopleIn(isNew)}` : 'Check the addresses'}
      onSend={send}
    >
      <AddressesField invitations={invitations} rows={5} />
      <Rights chosen={invitations.groups} onChoice={invitations.setGroups} />
      {rows.length > 0 && (
        <div class="stack">
          <p ref={status} tabIndex={-1} role="status">
            {sentenceOf(rows)}
          </p>
          <InvitationList invitations={invitations} />
        </div>
      )}
    </AdminForm>
  )
}

function peopleIn(count: number) {
  return count === 1 ? '1 person' : `${count} people`
}

function sentenceOf(rows: readonly InvitationRow[]) {
  const count = (...results: Invitation['result'][]) =>
    rows.filter(({ invitation }) => results.includes(invitation.result)).length
  const [invited, isNew, refused] = [count('invited'), count('new'), count('malformed', 'not_allowed')]
  const first =
    invited > 0 ? `${peopleIn(invited)} invited.` : `${isNew === 0 ? 'Nobody' : peopleIn(isNew)} would be invited.`
  const old = count('has_account')
  return [
    first,
    old > 0 && `${peopleIn(old)} ${old === 1 ? 'has' : 'have'} an account.`,
    refused > 0 && `${refused} cannot be invited.`,
  ]
    .filter(Boolean)
    .join(' ')
}
