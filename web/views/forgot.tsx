import { useState } from 'preact/hooks'
import { post } from '../core/rest.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage, FormFault, MailSent } from '../parts/account-page.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useSubmit } from '../parts/use-submit.ts'

export function View() {
  useTitle('Forgotten password')
  const [login, setLogin] = useState('')
  const [sent, setSent] = useState<{ email: string; link_hours: number }>()
  const { submit, isBusy, fault } = useSubmit(async () => setSent(await post('/rest/account/password', { login })))
  return (
    <AccountPage title="Forgotten password" about="A link to choose a new one is sent to the address of your account.">
      {sent !== undefined ? (
        <MailSent email={sent.email} hours={sent.link_hours}>
          If there is such an account, a mail is on its way to
        </MailSent>
      ) : (
        <form class="card login-f" onSubmit={submit}>
          <FormFault text={fault?.message} />
          <TextField label="Login name" value={login} onText={setLogin} autocomplete="username" isLarge isNeeded />
          <Button kind="primary" size="l" type="submit" isBusy={isBusy}>
            Send the link
          </Button>
        </form>
      )}
    </AccountPage>
  )
}
