import { useState } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../addresses.ts'
import { post } from '../core/rest.ts'
import { useTitle } from '../core/title.ts'
import type { AccountRules } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import { AccountPage, FormFault, MailSent } from '../parts/account-page.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useSubmit } from '../parts/use-submit.ts'

/** The page is the same whether there is an account with the address or not: only the mail says so. */
export function View() {
  useTitle('Create an account')
  const { body: rules } = useData<AccountRules>(ACCOUNT_RULES_CALL)
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<{ email: string; link_hours: number }>()
  const { submit, isBusy, fault } = useSubmit(async () => setSent(await post('/rest/account', { email })))
  if (rules !== undefined && !rules.can_join)
    return (
      <AccountPage title="Create an account">
        <p class="card login-f">Users cannot create accounts here. Ask an administrator for one.</p>
      </AccountPage>
    )
  return (
    <AccountPage title="Create an account" about="A mail with a link proves that the address is yours.">
      {sent !== undefined ? (
        <MailSent email={sent.email} hours={sent.link_hours}>
          A mail is on its way to
        </MailSent>
      ) : (
        <form class="card login-f" onSubmit={submit}>
          <FormFault text={fault?.message} />
          <TextField label="Address" value={email} onText={setEmail} autocomplete="email" isLarge isNeeded />
          <Button kind="primary" size="l" type="submit" isBusy={isBusy}>
            Send the link
          </Button>
        </form>
      )}
    </AccountPage>
  )
}
