import { useEffect, useState } from 'preact/hooks'
import type { View as Address } from '../addresses.ts'
import { finishSignIn, ownAddress } from '../core/account/provider-sign-in.ts'
import { sessionOpened } from '../core/account/session.ts'
import { go } from '../core/router.ts'
import { useTitle } from '../core/title.ts'
import { AccountPage, FormFault } from '../parts/account/account-page.tsx'

/** Where a provider of OpenID Connect sends the browser back. */
export function View({ parts }: { parts: Address['parts'] }) {
  useTitle('Logging in')
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const finish = async () => {
      const to = await finishSignIn(parts.provider ?? '', location.search)
      await sessionOpened()
      go(ownAddress(to), 'replace')
    }
    finish().catch((reason: Error) => setFault(reason.message))
  }, [])
  return (
    <AccountPage title={fault === undefined ? 'Logging in…' : 'You are not logged in'}>
      <FormFault text={fault} />
    </AccountPage>
  )
}
