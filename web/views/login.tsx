import { useEffect } from 'preact/hooks'
import { go, query } from '../core/router.ts'
import { me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import { Icon } from '../parts/icon.tsx'
import { LoginForm } from '../parts/login-form.tsx'

/** Where the reader wanted to go; only addresses of this server. */
function destination() {
  const to = query.value.get('to') ?? '/'
  return /^\/(?![/\\])/.test(to) ? to : '/'
}

function whatTheyWanted() {
  const bug = /^\/bug\/([^/?#]+)/.exec(destination())?.[1]
  return bug === undefined ? undefined : `bug ${decodeURIComponent(bug)}`
}

export function View() {
  useTitle('Log in')
  const wanted = whatTheyWanted()
  const who = me.value
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
      </div>
    </main>
  )
}
