import { useEffect, useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { finishSignIn, handOver, hideResponse, takeBegun } from '../core/account/provider-sign-in.ts'
import { me, sessionOpened } from '../core/account/session.ts'
import { go } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage } from '../parts/account/account-page.tsx'
import { FormFault } from '../parts/form-fault.tsx'

/** Where a provider of OpenID Connect sends the browser back. */
export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('Logging in')
  const [fault, setFault] = useState<string>()
  const [destination, setDestination] = useState('/')
  const [isHandedOver, setHandedOver] = useState(false)
  useEffect(() => {
    const finish = async () => {
      const [name, query] = [parts.provider ?? '', location.search]
      hideResponse(name)
      if (await handOver(name, query)) {
        setHandedOver(true)
        return window.close()
      }
      const { flow, to } = takeBegun(name)
      setDestination(to)
      await finishSignIn(name, flow, query)
      await sessionOpened()
      go(to, 'replace')
    }
    finish().catch((reason: Error) => setFault(reason.message))
  }, [])
  if (isHandedOver)
    return (
      <AccountPage title="You have logged in again">
        <p>You can close this window and go on in the other one.</p>
      </AccountPage>
    )
  return (
    <AccountPage title={fault === undefined ? 'Logging in…' : titleOfFault()} destination={destination}>
      <FormFault text={fault} />
    </AccountPage>
  )
}

/** A reader who is logged in wanted to link their account. */
function titleOfFault() {
  return me.value === undefined ? 'You are not logged in' : 'Your account is not linked'
}
