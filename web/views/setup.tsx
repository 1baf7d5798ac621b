import { useState } from 'preact/hooks'
import { addressOf } from '../../shared/rest-address.ts'
import { isAdmin, me, sessionOpened } from '../core/account/session.ts'
import { hrefOf } from '../core/router.ts'
import { isRefusedFor, post } from '../core/server/rest.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage } from '../parts/account/account-page.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { FormFault } from '../parts/form-fault.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { Assistant } from './setup/assistant.tsx'

/** Sets a new installation up. Readers who are not logged in see the same form, whether there is something to set up or not. */
export function View() {
  useTitle('Setting up')
  if (me.value === undefined) return <CodeForm />
  return isAdmin.value ? <OfAdministrator /> : <NothingToDo text="Only administrators set the tracker up." />
}

function OfAdministrator() {
  const { body, fault, reload } = useData(addressOf('/admin/setup'))
  if (body === undefined) return fault === undefined ? <LoadingPage /> : <RefusedPage fault={fault} retry={reload} />
  return body.is_open ? <Assistant done={body.done} onEnd={reload} /> : <NothingToDo text="The tracker is set up." />
}

function CodeForm() {
  const [code, setCode] = useState('')
  const { submit, isBusy, fault } = useSubmit(async () => {
    await post('/setup', { code: code.trim() }).catch(explainWrongCode)
    await sessionOpened()
  })
  return (
    <AccountPage
      title="Setting up"
      about="The first start of the tracker has shown a code for this page, or saved it in first-login.txt of its data folder."
      destination="/setup"
    >
      <form class="card login-form" aria-label="Setting up" onSubmit={submit}>
        <TextField label="Code" value={code} onText={setCode} autocomplete="off" isNeeded isLarge isFocused />
        <FormFault text={fault?.message} />
        <Button kind="primary" size="large" type="submit" isBusy={isBusy}>
          Begin
        </Button>
      </form>
    </AccountPage>
  )
}

/** The server names the code as programs call it, and does not repeat what was sent. */
function explainWrongCode(fault: unknown): never {
  if (!isRefusedFor(fault, 'bad_value')) throw fault
  throw new Error((fault as Error).message.replace(/^code cannot be “…”: it/, 'This is not the code: it'))
}

function NothingToDo({ text }: { text: string }) {
  return (
    <main id="main" class="page page-form stack-large">
      <h1>Setting up</h1>
      <Empty icon="check" title={text}>
        <p>
          <a class="link" href={hrefOf(isAdmin.value ? '/admin' : '/')}>
            {isAdmin.value ? 'Everything can be changed in the administration' : 'Home'}
          </a>
        </p>
      </Empty>
    </main>
  )
}
