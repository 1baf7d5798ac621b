import { useEffect, useState } from 'preact/hooks'
import type { View as Address } from '../addresses.ts'
import { finishSignIn, handOver, hideResponse, ownAddress } from '../core/account/provider-sign-in.ts'
import { sessionOpened } from '../core/account/session.ts'
import { go } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage, FormFault } from '../parts/account/account-page.tsx'

/** Where a provider of OpenID Connect sends the browser back. */
export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('Logging in')
  const [fault, setFault] = useState<string>()
  const [isHandedOver, setHandedOver] = useState(false)
  useEffect(() => {
    const finish = async () => {
      const [name, query] = [parts.provider ?? '', location.search]
      hideResponse(name)
      if (await handOver(name, query)) {
        setHandedOver(true)
        return window.close()
      }
      const to = await finishSignIn(name, query)
      await sessionOpened()
      go(ownAddress(to), 'replace')
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
    <AccountPage title={fault === undefined ? 'Logging in…' : 'You are not logged in'}>
      <FormFault text={fault} />
    </AccountPage>
  )
}
