import { useState } from 'preact/hooks'
import type { View as Address } from '../addresses.ts'
import { setDensity, setTheme } from '../core/appearance.ts'
import { put } from '../core/rest.ts'
import { hrefOf } from '../core/router.ts'
import { loadSession, me, parameters } from '../core/session.ts'
import { useTitle } from '../core/title.ts'
import { show, showFault } from '../core/toasts.ts'
import type { Me } from '../core/types.ts'
import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Empty } from '../parts/states.tsx'
import { Leaving } from './settings/leaving.tsx'
import { OwnAddress } from './settings/own-address.tsx'
import { OwnPassword } from './settings/own-password.tsx'
import { Sessions } from './settings/sessions.tsx'

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
          {parameters.value.allowemailchange === '1' && <OwnAddress who={who} />}
          <Sessions />
          <Leaving who={who} />
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
