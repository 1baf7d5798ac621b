import { useState } from 'preact/hooks'
import { loadSession, parameters } from '../../core/account/session.ts'
import { put } from '../../core/server/rest.ts'
import { TextField } from '../../parts/field.tsx'
import { StepForm, type StepProps } from './step-form.tsx'

export function NameAndAddress(props: StepProps) {
  const [name, setName] = useState(parameters.value.site_name ?? '')
  const [address, setAddress] = useState((props.isDone && parameters.value.urlbase) || `${location.origin}/`)
  const send = async () => {
    await put('/parameters', { site_name: name, urlbase: address })
    await loadSession()
  }
  return (
    <StepForm
      {...props}
      title="What is the tracker called, and where is it?"
      about="The name is at the top of every page. Links in mail lead to the address."
      onSend={send}
    >
      <TextField label="Name" value={name} onText={setName} placeholder="Lacewing" />
      <TextField
        label="Address"
        type="url"
        isNeeded
        value={address}
        onText={setAddress}
        hint="As people open it in their browsers, such as https://bugs.example.com/."
      />
      {!address.startsWith('https://') && (
        <p class="note note-warn">
          Without https passwords can be read on the way. A proxy in front of the tracker adds it.
        </p>
      )}
    </StepForm>
  )
}
