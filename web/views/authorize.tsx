import { useEffect, useState } from 'preact/hooks'
import type { Answer, NameOf } from '../../client/call-types.ts'
import { addressOf } from '../../shared/rest-address.ts'
import { me } from '../core/account/session.ts'
import { siteName } from '../core/look.ts'
import { currentAddress, go, hrefOf, query } from '../core/router.ts'
import { post } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage } from '../parts/account/account-page.tsx'
import { Button } from '../parts/button.tsx'
import { FormFault } from '../parts/form-fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { LoadingPage } from '../parts/states.tsx'
import { ScopeChoice } from './authorize/scope-choice.tsx'
import { useSettled } from './authorize/use-settled.ts'

type Request = Answer<NameOf<'GET', '/oauth/authorization'>>

/** What the program has sent with the browser, in the parameters of the call. */
function sentParams() {
  const of = (name: string) => query.value.get(name) ?? undefined
  return {
    client_id: of('client_id'),
    redirect_uri: of('redirect_uri'),
    response_type: of('response_type'),
    code_challenge: of('code_challenge'),
    code_challenge_method: of('code_challenge_method'),
    scope: of('scope'),
    state: of('state'),
    resource: of('resource'),
  }
}

/** Where a program asks the reader for access, after the log-in page if the reader is not logged in. */
export function View() {
  useTitle('Access for a program')
  const isLoggedIn = me.value !== undefined
  useEffect(() => {
    const { path, query: sent } = currentAddress.value
    if (!isLoggedIn) go(`/login?to=${encodeURIComponent(`${path}?${sent}`)}`, 'replace')
  }, [isLoggedIn])
  return isLoggedIn ? <Asked /> : <LoadingPage />
}

function Asked() {
  const { body, fault } = useData(addressOf('/oauth/authorization', sentParams()))
  if (fault !== undefined)
    return (
      <AccountPage title="This request does not work">
        <div class="card login-form">
          <FormFault text={fault.message} />
          <a class="button button-large" href={hrefOf('/')}>
            Go to the start page
          </a>
        </div>
      </AccountPage>
    )
  if (body === undefined) return <LoadingPage />
  return body.fault === undefined ? <Question request={body} /> : <WrongRequest request={body} fault={body.fault} />
}

/** Only to the web: a program cannot make the browser run something. */
function leaveFor(url: string) {
  if (/^https?:\/\//.test(url)) location.assign(url)
}

function Question({ request }: { request: Request }) {
  const { client, scopes, preselected, days } = request
  const [chosen, setChosen] = useState<string>(preselected ?? 'read')
  const [allowing, setAllowing] = useState<boolean>()
  const [fault, setFault] = useState<Error>()
  const isSettled = useSettled()
  const answer = async (allow: boolean) => {
    setAllowing(allow)
    setFault(undefined)
    try {
      const { url } = await post('/oauth/authorization', { ...sentParams(), allow, chosen_scope: chosen })
      leaveFor(url)
    } catch (refusal) {
      setFault(refusal as Error)
      setAllowing(undefined)
    }
  }
  return (
    <AccountPage title="Give a program access?" hasLogin>
      <form class="card login-form" onSubmit={(event) => event.preventDefault()}>
        <FormFault text={fault?.message} />
        <p class="break-anywhere">
          <b>
            “<bdi>{client.name}</bdi>”
          </b>{' '}
          wants to use {siteName.value} as <b>{me.value?.name}</b>. The name is what the program calls itself; nobody
          has checked it.
        </p>
        {client.looks_like_ours && (
          <div class="note note-danger">
            <Icon name="warn" />
            <div>The program has a name like this tracker. It is not a part of it. Refuse, unless you know it.</div>
          </div>
        )}
        <Destination {...client} />
        <ScopeChoice scopes={scopes} chosen={chosen} onChoice={setChosen} />
        <p class="small muted">
          It cannot administer, or change your password or address.{' '}
          {days > 0 && `After ${days} days at most it must ask again. `}You can end its access at any time, in your
          settings under{' '}
          <a class="link" href={hrefOf('/settings/access')}>
            What acts for me
          </a>
          .
        </p>
        <div class="authorize-answers">
          <Button size="large" isBusy={allowing === false} onClick={() => void answer(false)}>
            Refuse
          </Button>
          <Button
            kind="primary"
            size="large"
            isBusy={allowing === true}
            unavailable={isSettled ? undefined : 'Read it first.'}
            onClick={() => void answer(true)}
          >
            Allow
          </Button>
        </div>
      </form>
    </AccountPage>
  )
}

/** Where the answer goes is all that is known of a program. */
function Destination({ host, is_local }: Request['client']) {
  return (
    <div class={is_local ? 'note note-warn' : 'note'}>
      <Icon name={is_local ? 'warn' : 'globe'} />
      <div class="break-anywhere">
        {is_local ? (
          <>
            Your answer goes to a program on this computer (<b>{host}</b>). Allow it only if you have just started that
            program yourself.
          </>
        ) : (
          <>
            Your answer goes to <b>{host}</b>. Allow it only if you trust that site.
          </>
        )}
      </div>
    </div>
  )
}

/** The reader decides whether the program learns of it: a page that anybody can link to must not lead on by itself. */
function WrongRequest({ request, fault }: { request: Request; fault: NonNullable<Request['fault']> }) {
  return (
    <AccountPage title="This request does not work">
      <div class="card login-form">
        <FormFault text={fault.description} />
        <p class="break-anywhere">
          “<bdi>{request.client.name}</bdi>” has asked for access in a way that is not possible.
        </p>
        <Button size="large" onClick={() => leaveFor(fault.url)}>
          Go back to {request.client.host}
        </Button>
      </div>
    </AccountPage>
  )
}
