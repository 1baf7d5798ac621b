import { ACCOUNT_RULES_CALL } from '../../shared/first-calls.ts'
import { post } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage, LinkForm } from '../parts/account/account-page.tsx'

/** The page is the same whether the address has an account or not. Only the mail differs. */
export function View() {
  useTitle('Create an account')
  const { body: rules } = useData(ACCOUNT_RULES_CALL)
  if (rules !== undefined && !rules.can_join)
    return (
      <AccountPage title="Create an account">
        <p class="card login-form">Users cannot create accounts here. Ask an administrator for one.</p>
      </AccountPage>
    )
  return (
    <AccountPage title="Create an account" about="A mail with a link proves that the address is yours.">
      <LinkForm
        label="Address"
        autocomplete="email"
        sentTo="A mail is on its way to"
        send={(email) => post('/account', { email })}
      />
    </AccountPage>
  )
}
