import { useRef, useState } from 'preact/hooks'
import { put } from '../../../core/server/rest.ts'
import { Button } from '../../../parts/button.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { AdminForm } from '../form.tsx'
import { Rights } from '../rights.tsx'
import { AddressesField, InvitationList } from './invitations.tsx'
import { type Invitation, type InvitationRow, useInvitations } from './use-invitations.ts'

/** Many accounts in one step. What becomes of each address is shown before anybody gets a mail. */
export function InvitePeople({ onMade, onClose }: { onMade(): void; onClose(): void }) {
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
  const members = rows.filter(({ invitation }) => invitation.result === 'has_account')
  return (
    <>
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
            {members.length > 0 && invitations.groups.size > 0 && (
              <MembersInstead
                key={[...invitations.groups].join()}
                logins={members.map(({ invitation }) => invitation.address)}
                groups={[...invitations.groups]}
                onMade={onMade}
              />
            )}
          </div>
        )}
      </AdminForm>
      <div>
        <Button size="small" kind="quiet" onClick={onClose}>
          Close this form
        </Button>
      </div>
    </>
  )
}

interface MembersProps {
  logins: readonly string[]
  groups: readonly string[]
  onMade(): void
}

/** Who has an account gets no invitation, but can be put into the same groups. */
function MembersInstead({ logins, groups, onMade }: MembersProps) {
  const [isDone, setDone] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [first = '', ...names] = logins
  const who = logins.length === 1 ? first : peopleIn(logins.length)
  const add = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await put('/user/:ref', { ref: first, names, groups: { add: [...groups] } })
      setDone(true)
      onMade()
    } catch (reason) {
      setFault((reason as Error).message)
    }
    setBusy(false)
  }
  return (
    <div class="note">
      <Icon name="user" />
      <div class="stack break-anywhere" role="status">
        {isDone ? (
          <p>
            <bdi>{who}</bdi> {logins.length === 1 ? 'is' : 'are'} in {groups.join(', ')} now.
          </p>
        ) : (
          <>
            <p>
              <bdi>{who}</bdi> {logins.length === 1 ? 'has' : 'have'} an account already. Nobody with an account is
              invited, and their groups stay as they are.
            </p>
            <div>
              <Button size="small" isBusy={isBusy} onClick={() => void add()}>
                Add to {groups.join(', ')}
              </Button>
            </div>
          </>
        )}
        <FormFault text={fault} />
      </div>
    </div>
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
