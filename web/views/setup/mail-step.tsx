import { useEffect, useRef, useState } from 'preact/hooks'
import { loadSession, me, parameters } from '../../core/account/session.ts'
import { getOnce, post, put } from '../../core/server/rest.ts'
import { showToast } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Refused, Skeleton } from '../../parts/states.tsx'
import { NoServer, ServerFields, ServerOfEnvironment, useServerDraft } from '../admin/mail/mail-server.tsx'
import { MAIL_CALL, type MailState, mailServerUrl } from '../admin/mail/mail-state.ts'
import { SenderField } from '../admin/mail/sender.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

/** The fields of the page of mail. What is typed is saved and tried with a message before the next step. */
export function MailStep(props: StepProps) {
  const [state, setState] = useState<MailState>()
  const [fault, setFault] = useState<Error>()
  // Read once and anew: the form is not begun again with what it has just saved, and never with what was read before.
  const load = () => {
    setFault(undefined)
    getOnce(MAIL_CALL).then(setState, setFault)
  }
  useEffect(load, [])
  if (state !== undefined) return <MailForm {...props} state={state} />
  return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={load} />
}

function MailForm({ state, ...props }: StepProps & { state: MailState }) {
  const draft = useServerDraft(state.server)
  const [from, setFrom] = useState(parameters.value.mailfrom ?? '')
  const [hasFailed, setFailed] = useState(false)
  const isUntested = useRef(false)
  const url = mailServerUrl(draft.values, draft.keepsLogin)
  const savedUrl = useRef(state.server === null ? undefined : url)
  const save = async () => {
    if (state.source !== 'environment' && url !== savedUrl.current) {
      await draft.save()
      savedUrl.current = url
      draft.seen.current = (await getOnce(MAIL_CALL)).server
    }
    await put('/parameters', { mailfrom: from })
    await loadSession()
  }
  const test = async () => {
    try {
      const { sent, sentence } = await post('/admin/mail/test', {})
      if (!sent) throw new Error(`The test message was not sent. ${sentence}`)
      showToast({ kind: 'done', text: `The test message is sent. ${sentence}` })
    } catch (fault) {
      setFailed(true)
      throw fault
    }
  }
  const send = async () => {
    const isTested = !isUntested.current
    await save()
    if (isTested) await test()
  }
  const goOnUntested = (event: Event) => {
    isUntested.current = true
    // It sends the form before it returns, unless a field is wrong.
    ;(event.currentTarget as HTMLButtonElement).form?.requestSubmit()
    isUntested.current = false
  }
  return (
    <StepForm
      {...props}
      title="How should the tracker send mail?"
      about="Users get a mail when somebody asks them something. Without mail the rest works, but a forgotten password can only be reset by an administrator."
      onSend={send}
      other={
        hasFailed && (
          <Button size="large" onClick={goOnUntested}>
            Continue without a test
          </Button>
        )
      }
    >
      {state.source === 'none' && !hasFailed && <NoServer />}
      {state.source === 'environment' ? (
        <ServerOfEnvironment server={state.server} />
      ) : (
        <ServerFields server={state.server} draft={draft} />
      )}
      <SenderField from={from} onText={setFrom} />
      <p class="muted break-anywhere">
        Links in mail lead to <b>{parameters.value.urlbase || `${location.origin}/`}</b>. Continue sends a test message
        to <b>{me.value?.name}</b>.
      </p>
    </StepForm>
  )
}
