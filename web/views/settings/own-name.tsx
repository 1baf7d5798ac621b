import { useState } from 'preact/hooks'
import { loadSession } from '../../core/account/session.ts'
import { put } from '../../core/server/rest.ts'
import type { Me } from '../../core/server/types.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'

export function OwnName({ who }: { who: Me }) {
  const [name, setName] = useState(who.real_name)
  const save = (event: Event) => {
    event.preventDefault()
    const change = async () => {
      await put('/user/:ref', { ref: who.id, full_name: name })
      await loadSession()
    }
    return showResult(change, 'Your name is changed.')
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
