import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { FormFault } from '../../parts/form-fault.tsx'

interface Props {
  title: string
  /** What the button does. */
  action: string
  /** Throws what the server refuses, which is shown above the button. */
  onSend(): Promise<void>
  children: ComponentChildren
}

/** A form that is sent as a whole. What is typed stays when it is refused. */
export function AdminForm({ title, action, onSend, children }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const send = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setRefusal(undefined)
    try {
      await onSend()
    } catch (fault) {
      setRefusal((fault as Error).message)
    }
    setBusy(false)
  }
  return (
    <form class="stack" aria-label={title} onSubmit={send}>
      <h2>{title}</h2>
      {children}
      <FormFault text={refusal} />
      <div>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {isBusy ? 'Saving…' : action}
        </Button>
      </div>
    </form>
  )
}
