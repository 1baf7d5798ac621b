import { useRef } from 'preact/hooks'
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
  const unsaved = useRef(new Set<HTMLFormElement>())
  const isLeaving = useRef(false)
  const typed = ({ target }: Event) => {
    isLeaving.current = false
    const form = (target as Element).closest('form')
    if (form !== null) unsaved.current.add(form)
  }
  const unsavedForms = () => [...unsaved.current].filter((it) => it.isConnected)
  /** Each form says itself why it cannot be saved, and the step stays. */
  const goOn = () => {
    const [form] = unsavedForms()
    isLeaving.current = form !== undefined
    if (form === undefined) props.onDone()
    else form.requestSubmit()
  }
  const saved = (title: string) => {
    for (const form of unsaved.current) if (form.getAttribute('aria-label') === title) unsaved.current.delete(form)
    if (isLeaving.current) goOn()
    else reload()
  }
  return (
    <div class="stack-large" onInput={typed}>
      <StepHead
        title="How should the tracker send mail?"
        about="Users get a mail when somebody asks them something. Without mail the rest works, but a forgotten password can only be reset by an administrator."
      />
      {body === undefined && fault !== undefined && <Refused fault={fault} retry={reload} />}
      {body !== undefined && (
        <>
          <MailServer state={body} onSaved={() => saved('Mail server')} />
          <Sender onSaved={() => saved('Sender and address')} />
          <MailTest hasUnsaved={() => unsavedForms().length > 0} onSent={reload} />
        </>
      )}
      <StepWays {...props} onContinue={goOn} />
    </div>
  )
}
