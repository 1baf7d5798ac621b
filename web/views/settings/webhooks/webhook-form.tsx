import { useState } from 'preact/hooks'
import { TextField } from '../../../parts/field.tsx'
import { FormEnd } from '../../../parts/form-end.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { EVENTS, type Webhook } from './webhook.ts'

/** What the reader sets of a webhook. */
export interface WebhookValues {
  url: string
  events: string[]
  product: string
  component: string
}

interface Props {
  title: string
  button: string
  /** The webhook that is changed. */
  hook?: Webhook
  onSave(values: WebhookValues): Promise<void>
  onClose(): void
}

export function WebhookForm({ title, button, hook, onSave, onClose }: Props) {
  const [url, setUrl] = useState(hook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(hook?.events ?? Object.keys(EVENTS))
  const [product, setProduct] = useState(hook?.product ?? '')
  const [component, setComponent] = useState(hook?.component ?? '')
  const { submit, isBusy, fault } = useSubmit(() => onSave({ url, events: [...events], product, component }))
  const toggle = (event: string) =>
    setEvents(events.includes(event) ? events.filter((it) => it !== event) : [...events, event])
  return (
    <form class="card stack recovery" aria-label={title} onSubmit={submit}>
      <TextField
        label="URL"
        type="url"
        value={url}
        onText={setUrl}
        hint="The tracker sends a POST there, with what you may see at that time."
        isNeeded
        isFocused
      />
      <fieldset class="stack rights">
        <legend class="label">When</legend>
        {Object.entries(EVENTS).map(([event, words]) => (
          <label key={event} class="checkbox-label">
            <input class="checkbox" type="checkbox" checked={events.includes(event)} onChange={() => toggle(event)} />
            <span>
              {words} <span class="faint">{event}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField label="Only bugs in the product" value={product} onText={setProduct} hint="Empty for all products." />
      {product !== '' && (
        <TextField
          label="Only bugs in the component"
          value={component}
          onText={setComponent}
          hint="Empty for all components of the product."
        />
      )}
      <FormEnd
        {...{ fault, isBusy, onClose }}
        action={button}
        unavailable={events.length === 0 ? 'Choose an event first' : undefined}
      />
    </form>
  )
}
