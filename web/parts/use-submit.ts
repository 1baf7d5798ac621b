import { useState } from 'preact/hooks'

/** Sends a form, one request at a time, and keeps the error if it was refused. */
export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Error>()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(undefined)
    try {
      await send()
    } catch (reason) {
      setFault(reason as Error)
    }
    setBusy(false)
  }
  return { submit, isBusy, fault }
}
