import { useEffect } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../addresses.ts'
import { beginSignIn, ownAddress } from '../core/provider-sign-in.ts'
import { go, hrefOf, query } from '../core/router.ts'
import { me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import { showFault } from '../core/toasts.ts'
import type { AccountRules } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { LoginForm } from '../parts/login-form.tsx'

/** Where the reader wanted to go; only addresses of this server. */
function destination() {
  return ownAddress(query.value.get('to'))
}

function whatTheyWanted() {
  const bug = /^\/bug\/([^/?#]+)/.exec(destination())?.[1]
  return bug === undefined ? undefined : `bug ${decodeURIComponent(bug)}`
}

export function View() {
  useTitle('Log in')
  const wanted = whatTheyWanted()
  const who = me.value
  const { body } = useData<AccountRules>(ACCOUNT_RULES_CALL)
  useEffect(() => {
    if (who !== undefined) go(destination(), 'replace')
  }, [who])
  return (
    <main id="main" class="login">
      <div class="login-c">
        <div class="login-b">
          <Icon name="logo" />
          <h1>Lacewing</h1>
          {wanted !== undefined && (
            <p class="muted">
              Log in to see <b>{wanted}</b>.
            </p>
          )}
        </div>
        <LoginForm onDone={() => go(destination(), 'replace')} />
        {body?.providers.map(({ name, title }) => (
          <Button key={name} size="l" onClick={() => beginSignIn(name, destination()).catch(showFault)}>
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
