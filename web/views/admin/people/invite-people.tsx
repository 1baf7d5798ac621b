import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { AdminForm } from '../form.tsx'
import { mayGive, Rights } from '../rights.tsx'
import { AddressesField, type Invitation, InvitationList, isRefused, sendInvitations } from './invitations.tsx'

/** Many accounts in one step. What becomes of each address is shown before anybody gets a mail. */
export function InvitePeople({ onMade }: { onMade(): void }) {
  const [text, setText] = useState('')
  const [groups, setGroups] = useState<ReadonlySet<string>>(new Set(['canconfirm', 'editbugs'].filter(mayGive)))
  const [planned, setPlanned] = useState<readonly Invitation[]>()
  const [done, setDone] = useState<readonly Invitation[]>()
  const status = useRef<HTMLParagraphElement>(null)
  const isNew = planned?.filter(({ result }) => result === 'new').length ?? 0
  const send = async () => {
    if (text.trim() === '') throw new Error('Write or paste the addresses first.')
    const found = await sendInvitations(text, [...groups], planned === undefined || isNew === 0)
    if (planned === undefined || isNew === 0) {
      setPlanned(found)
    } else {
      setDone(found)
      setPlanned(undefined)
      // What could not be invited stays to be corrected.
      setText(found.filter(isRefused).map(writtenAgain).join('\n'))
      onMade()
    }
    requestAnimationFrame(() => status.current?.focus())
  }
  const edit = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value)
      setPlanned(undefined)
    }
  }
  const shown = planned ?? done
  return (
    <AdminForm
      title="Invite several people"
      action={planned !== undefined && isNew > 0 ? `Invite ${peopleIn(isNew)}` : 'Check the addresses'}
      onSend={send}
    >
      <AddressesField text={text} rows={5} onText={edit(setText)} />
      <Rights chosen={groups} onChoice={edit(setGroups)} isOffered={mayGive} />
      {shown !== undefined && (
        <div class="stack">
          <p ref={status} tabIndex={-1} role="status">
            {sentenceOf(shown)}
          </p>
          <InvitationList invitations={shown} />
          {planned !== undefined && (
            <div>
              <Button size="small" onClick={() => setPlanned(undefined)}>
                Back to the addresses
              </Button>
            </div>
          )}
        </div>
      )}
    </AdminForm>
  )
}

function writtenAgain({ address, real_name }: Invitation) {
  return real_name === '' ? address : `${real_name} <${address}>`
}

function peopleIn(count: number) {
  return count === 1 ? '1 person' : `${count} people`
}

function sentenceOf(invitations: readonly Invitation[]) {
  const count = (...results: Invitation['result'][]) => invitations.filter((it) => results.includes(it.result)).length
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
