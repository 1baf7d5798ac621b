import { useData } from '../../core/server/use-data.ts'
import { Refused } from '../../parts/states.tsx'
import { MailServer } from '../admin/mail/mail-server.tsx'
import { MAIL_CALL } from '../admin/mail/mail-state.ts'
import { MailTest } from '../admin/mail/mail-test.tsx'
import { Sender } from '../admin/mail/sender.tsx'
import { StepHead, type StepProps, StepWays } from './step-form.tsx'

/** The same as on the page of mail, so that nothing is asked in two ways. */
export function MailStep(props: StepProps) {
  const { body, fault, reload } = useData(MAIL_CALL)
  return (
    <div class="stack-large">
      <StepHead
        title="How should the tracker send mail?"
        about="Users get a mail when somebody asks them something. Without mail the rest works, but a forgotten password can only be reset by an administrator."
      />
      {body === undefined && fault !== undefined && <Refused fault={fault} retry={reload} />}
      {body !== undefined && (
        <>
          <MailServer state={body} onSaved={reload} />
          <Sender onSaved={reload} />
          <MailTest onSent={reload} />
        </>
      )}
      <StepWays {...props} onContinue={props.onDone} />
    </div>
  )
}
