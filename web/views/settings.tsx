import { useState } from 'preact/hooks'
import type { View as Address } from '../addresses.ts'
import { setDensity, setTheme } from '../core/appearance.ts'
import { put, remove } from '../core/rest.ts'
import { hrefOf } from '../core/router.ts'
import { loadSession, me } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import { show, showFault } from '../core/toasts.ts'
import type { Me } from '../core/types.ts'
import { useData } from '../core/use-data.ts'
import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'

export function View(_: { parts: Address['parts'] }) {
  useTitle('Settings')
  const who = me.value
  return (
    <main id="main" class="page page-form stack-l">
      <h1>Settings</h1>
      <Appearance />
      {who === undefined ? (
        <Empty icon="lock" title="Log in to change your account">
          <a class="btn btn-primary" href={hrefOf('/login?to=/settings')}>
            Log in
          </a>
        </Empty>
      ) : (
        <>
          <OwnName who={who} />
          <OwnPassword who={who} />
          <Sessions />
        </>
      )}
    </main>
  )
}

function Appearance() {
  const page = document.documentElement.dataset
  const [theme, chooseTheme] = useState(page.theme ?? '')
  const [density, chooseDensity] = useState(page.density ?? '')
  return (
    <section class="stack" aria-label="Appearance">
      <h2>Appearance</h2>
      <SelectField
        label="Colours"
        value={theme}
        options={[
          { value: '', name: 'As the system has them' },
          { value: 'light', name: 'Light' },
          { value: 'dark', name: 'Dark' },
        ]}
        onChoice={(value) => {
          chooseTheme(value)
          setTheme(value === 'light' || value === 'dark' ? value : undefined)
        }}
      />
      <SelectField
        label="Rows of lists"
        value={density}
        options={[
          { value: '', name: 'Normal' },
          { value: 'compact', name: 'Compact' },
          { value: 'roomy', name: 'Roomy' },
        ]}
        onChoice={(value) => {
          chooseDensity(value)
          setDensity(value === '' ? undefined : value)
        }}
      />
    </section>
  )
}

function OwnName({ who }: { who: Me }) {
  const [name, setName] = useState(who.real_name)
  const save = async (event: Event) => {
    event.preventDefault()
    try {
      await put(`/rest/user/${who.id}`, { full_name: name })
      await loadSession()
      show({ kind: 'done', text: 'Your name is changed.' })
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <form class="stack" aria-label="Name" onSubmit={save}>
      <h2>Name</h2>
      <TextField
        label="Real name"
        value={name}
        onText={setName}
        autocomplete="name"
        hint={`You log in as ${who.name}.`}
      />
      <div>
        <Button type="submit">Save the name</Button>
      </div>
    </form>
  )
}

function OwnPassword({ who }: { who: Me }) {
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isSent, setSent] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const isDifferent = isSent && password !== again
  const save = async (event: Event) => {
    event.preventDefault()
    setSent(true)
    setRefusal(undefined)
    if (password !== again) return
    try {
      await put(`/rest/user/${who.id}`, { password, old_password: old })
      for (const reset of [setOld, setPassword, setAgain]) reset('')
      setSent(false)
      show({ kind: 'done', text: 'Your password is changed.' })
    } catch (fault) {
      setRefusal((fault as Error).message)
    }
  }
  return (
    <form class="stack" aria-label="Password" onSubmit={save}>
      <h2>Password</h2>
      <TextField
        label="Old password"
        type="password"
        value={old}
        onText={setOld}
        autocomplete="current-password"
        isNeeded
        error={refusal}
      />
      <TextField
        label="New password"
        type="password"
        value={password}
        onText={setPassword}
        autocomplete="new-password"
        isNeeded
      />
      <TextField
        label="New password again"
        type="password"
        value={again}
        onText={setAgain}
        autocomplete="new-password"
        isNeeded
        error={isDifferent ? 'The two are not the same.' : undefined}
      />
      <div>
        <Button type="submit">Change the password</Button>
      </div>
    </form>
  )
}

interface Session {
  id: number
  created_at: string
  last_used: string
  is_current: boolean
}

function Sessions() {
  const { body, reload } = useData<{ sessions: Session[] }>('/rest/session')
  const end = async (id: number) => {
    try {
      await remove(`/rest/session/${id}`)
      reload()
    } catch (fault) {
      showFault(fault)
    }
  }
  return (
    <section class="stack" aria-label="Sessions">
      <h2>Where you are logged in</h2>
      <ul class="card rows">
        {(body?.sessions ?? []).map(({ id, created_at, last_used, is_current }) => (
          <li key={id} class="row-bug">
            <span class="grow">
              {is_current ? <b>This browser</b> : 'A session'}, since <Time at={created_at} />
            </span>
            <span class="faint small">
              last used <Time at={last_used} />
            </span>
            {!is_current && (
              <Button size="s" onClick={() => end(id)}>
                End it
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
