import { copyText } from '../../core/clipboard.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MAIL_CALL } from '../admin/mail/mail-state.ts'
import { AddressesField, InvitationList } from '../admin/people/invitations.tsx'
import { isRefused, useInvitations } from '../admin/people/use-invitations.ts'
import { Rights } from '../admin/rights.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

const COMMANDS = `mariadb-dump --single-transaction --hex-blob --default-character-set=utf8mb4 bugs | gzip > bugs.sql.gz
export LACEWING_DATA=/srv/lacewing-trial
npx lacewing import bugzilla bugs.sql.gz --params data/params.json --attachments data/attachments
npm start`

/** Each address gets an invitation, with which its owner chooses a password. */
export function People(props: StepProps) {
  const { body: mail } = useData(MAIL_CALL)
  const invitations = useInvitations()
  const send = async () => {
    if (invitations.text.trim() === '') return
    // Nobody gets a mail while the list has to be corrected.
    if ((await invitations.check()).some(isRefused)) {
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.setup [aria-invalid=true]')?.focus())
      throw new Error('Correct or remove the addresses that cannot be invited.')
    }
    await invitations.send()
  }
  return (
    <StepForm
      {...props}
      title="Who works with you, and where are your bugs?"
      about="People get a mail with a link to choose a password. Without a mail server, make accounts with passwords in the administration."
      onSend={send}
    >
      {mail?.source === 'none' && (
        <div class="note note-warn">
          <Icon name="warn" />
          <div>No mail server is set, so invitations stay on the server as files. Set it in the step Mail first.</div>
        </div>
      )}
      <AddressesField invitations={invitations} rows={4} />
      {invitations.text.trim() !== '' && <Rights chosen={invitations.groups} onChoice={invitations.setGroups} />}
      {invitations.rows.length > 0 && <InvitationList invitations={invitations} />}
      <details>
        <summary>Move in from a Bugzilla</summary>
        <div class="stack">
          <p>
            An import makes an installation of its own, which you use instead of this one. Nothing of it touches the
            Bugzilla.
          </p>
          <pre class="setup-commands">
            <code>{COMMANDS}</code>
          </pre>
          <div>
            <Button icon="copy" onClick={() => void copyText(COMMANDS, 'The commands are copied.')}>
              Copy the commands
            </Button>
          </div>
        </div>
      </details>
    </StepForm>
  )
}
