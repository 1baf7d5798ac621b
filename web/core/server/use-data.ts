import { useEffect, useState } from 'preact/hooks'
import type { AnswerAt } from '../../../client/call-types.ts'
import type { Address } from '../../../shared/rest-address.ts'
import { isInPage, lastSeen } from './known-answers.ts'
import { get, isRefused } from './rest.ts'

export interface Data<Body> {
  /** Undefined until the first answer is there. */
  body: Body | undefined
  fault: Error | undefined
  /** Asks the server again. */
  reload(): void
  /** Shows another value until the server answers again. */
  replace(body: Body): void
}

/**
 * What a call of the REST API answers. What came with the page or was seen before is shown at once, and is brought up to date. An answer
 * that comes late, after the address has changed, is dropped.
 */
export function useData<At extends Address>(address: At | undefined): Data<AnswerAt<At>> {
  type Body = AnswerAt<At>
  const [state, setState] = useState<{ address: string | undefined; body?: Body; fault?: Error }>(() => ({
    address,
    body: address === undefined ? undefined : lastSeen(address),
  }))
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (address === undefined) return
    const abort = new AbortController()
    const seen = lastSeen(address)
    if (!isInPage(address) && seen !== undefined && state.address !== address) setState({ address, body: seen })
    get(address, abort.signal).then(
      (body) => !abort.signal.aborted && setState({ address, body }),
      (fault) => {
        if (abort.signal.aborted) return
        // What was seen before stays when only the connection or the session is lost, and goes when the reader may not see it any more.
        setState((last) =>
          last.address === address && last.body !== undefined && !isRefused(fault)
            ? { ...last, fault }
            : { address, fault },
        )
      },
    )
    return () => abort.abort()
  }, [address, round])
  const isCurrent = state.address === address
  return {
    body: isCurrent ? state.body : address === undefined ? undefined : lastSeen(address),
    fault: isCurrent ? state.fault : undefined,
    reload: () => setRound((last) => last + 1),
    replace: (body) => setState({ address, body }),
  }
}
