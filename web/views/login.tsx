import { useEffect } from 'preact/hooks'
import { decoded } from '../../shared/addresses.ts'
import { ACCOUNT_RULES_CALL } from '../../shared/first-calls.ts'
import { beginSignIn } from '../core/account/provider-sign-in.ts'
import { me } from '../core/account/session.ts'
import { firstPage } from '../core/first-page.ts'
import { loginText, siteName } from '../core/look.ts'
import { go, hrefOf, ownAddress, query } from '../core/router.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { showFault } from '../core/toasts.ts'
import { LoginForm } from '../parts/account/login-form.tsx'
import { Button } from '../parts/button.tsx'
import { Logo } from '../parts/logo.tsx'

/** Where the reader wanted to go; only addresses of this server. */
function destination() {
  const to = query.value.get('to')
  return to === null ? firstPage() : ownAddress(to)
}

function whatTheyWanted() {
  const bug = /^\/bug\/([^/?#]+)/.exec(destination())?.[1]
  return bug === undefined ? undefined : `bug ${decoded(bug)}`
}

export function View() {
  useTitle('Log in')
  const wanted = whatTheyWanted()
  const who = me.value
  const { body } = useData(ACCOUNT_RULES_CALL)
  useEffect(() => {
    if (who !== undefined) go(destination(), 'replace')
  }, [who])
  return (
    <main id="main" class="login">
      <div class="login-column">
        <div class="login-brand">
          <Logo />
          <h1 dir="auto">{siteName.value}</h1>
          {loginText.value !== '' && (
            <p class="login-text muted" dir="auto">
              {loginText.value}
            </p>
          )}
          {wanted !== undefined && (
            <p class="muted">
              Log in to see <b>{wanted}</b>.
            </p>
          )}
          {/^\/oauth\/authorize\?/.test(destination()) && (
            <p class="muted">Log in to answer a program that asks for access.</p>
          )}
        </div>
        <LoginForm onDone={() => go(destination(), 'replace')} />
        {body?.providers.map(({ name, title }) => (
          <Button key={name} size="large" onClick={() => beginSignIn(name, destination()).catch(showFault)}>
            Log in through {title}
          </Button>
        ))}
        <p class="login-more">
          <a class="link" href={hrefOf('/forgot')}>
            Forgot your password?
          </a>
          {body?.can_join && (
            <a class="link" href={hrefOf('/join')}>
              Create an account
            </a>
          )}
        </p>
      </div>
    </main>
  )
}
