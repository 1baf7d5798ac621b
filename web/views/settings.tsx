import { useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { me, parameters } from '../core/account/session.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import type { Me } from '../core/server/types.ts'
import { useTitle } from '../core/title.ts'
import { Empty } from '../parts/states.tsx'
import { ApiKeys } from './settings/api-keys.tsx'
import { Appearance } from './settings/appearance.tsx'
import { Credentials } from './settings/credentials.tsx'
import { Factors } from './settings/factors.tsx'
import { Leaving } from './settings/leaving.tsx'
import { OwnAddress } from './settings/own-address.tsx'
import { OwnName } from './settings/own-name.tsx'
import { OwnPassword } from './settings/own-password.tsx'
import { SavedSearches } from './settings/saved-searches.tsx'
import { Sessions } from './settings/sessions.tsx'

const PARTS = [
  { part: undefined, address: '/settings', title: 'Account' },
  { part: 'factors', address: '/settings/factors', title: 'Second factors' },
  { part: 'keys', address: '/settings/keys', title: 'API keys' },
  { part: 'searches', address: '/settings/searches', title: 'Saved searches' },
] as const

export function View({ parts }: { parts: Address['parts'] }) {
  const shown = PARTS.find(({ part }) => part === parts.part) ?? PARTS[0]
  useTitle(shown.part === undefined ? 'Settings' : shown.title)
  const who = me.value
  return (
    <main id="main" class="page page-form stack-large">
      <h1>Settings</h1>
      {who !== undefined && (
        <nav class="tabs" aria-label="Parts of the settings">
          {PARTS.map(({ part, address, title }) => (
            <a key={address} href={hrefOf(address)} aria-current={part === shown.part ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      )}
      {shown.part === undefined && <Appearance />}
      {who === undefined ? <LogInFirst /> : <Part part={shown.part} who={who} />}
    </main>
  )
}

function Account({ who }: { who: Me }) {
  const [isPasswordNew, setPasswordNew] = useState(false)
  return (
    <>
      <OwnName who={who} />
      <OwnPassword who={who} onChanged={() => setPasswordNew(true)} />
      {parameters.value.allowemailchange === '1' && <OwnAddress who={who} />}
      <Sessions />
      <Credentials who={who} isPasswordNew={isPasswordNew} onAsked={() => setPasswordNew(false)} />
      <Leaving who={who} />
    </>
  )
}

function Part({ part, who }: { part: (typeof PARTS)[number]['part']; who: Me }) {
  if (part === 'searches') return <SavedSearches />
  if (part === 'keys') return <ApiKeys who={who} />
  return part === 'factors' ? <Factors /> : <Account who={who} />
}

function LogInFirst() {
  return (
    <Empty icon="lock" title="Log in to change your account">
      <a class="button button-primary" href={hrefOf(`/login?to=${encodeURIComponent(currentAddress.value.path)}`)}>
        Log in
      </a>
    </Empty>
  )
}
