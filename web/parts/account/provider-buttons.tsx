import { useEffect, useRef, useState } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../../../shared/first-calls.ts'
import { signInInWindow } from '../../core/account/provider-sign-in.ts'
import { useData } from '../../core/server/use-data.ts'
import { Button } from '../button.tsx'
import { FormFault } from '../form-fault.tsx'

/** Where the page must not be left: the reader logs in at the provider in another window, and goes on in this one. */
export function ProviderButtons({ onDone }: { onDone(): void }) {
  const { body } = useData(ACCOUNT_RULES_CALL)
  const { begin, isOpen, fault } = useOtherWindow(onDone)
  if (body === undefined || body.providers.length === 0) return null
  return (
    <div class="provider-buttons">
      {body.providers.map(({ name, title }) => (
        <Button key={name} size="large" onClick={() => begin((abort) => signInInWindow(name, abort))}>
          Log in through {title}
        </Button>
      ))}
      {isOpen && <p role="status">Log in in the window that has opened, and then go on here.</p>}
      <FormFault text={fault?.message} />
    </div>
  )
}

/** A second click begins anew: the reader may have closed the window. */
export function useOtherWindow(onDone: () => void) {
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<Error>()
  const begin = (work: (abort: AbortSignal) => Promise<void>) => {
    abort.current.abort()
    const current = new AbortController()
    abort.current = current
    setFault(undefined)
    setOpen(true)
    work(current.signal).then(onDone, (reason: Error) => {
      if (current.signal.aborted) return
      setOpen(false)
      setFault(reason)
    })
  }
  return { begin, isOpen, fault }
}
