import { post } from '../core/server/rest.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage, LinkForm } from '../parts/account/account-page.tsx'

export function View() {
  useTitle('Forgotten password')
  return (
    <AccountPage title="Forgotten password" about="A link to choose a new one is sent to the address of your account.">
      <LinkForm
        label="Login name"
        autocomplete="username"
        sentTo="If there is such an account, a mail is on its way to"
        send={(login) => post('/account/password', { login })}
      />
    </AccountPage>
  )
}
