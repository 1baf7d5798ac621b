import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import type { View as Address } from '../../shared/addresses.ts'
import { me, parameters } from '../core/account/session.ts'
import { maySchedule } from '../core/bugs/saved-searches.ts'
import { currentAddress, hrefOf } from '../core/router.ts'
import type { Me } from '../core/server/types.ts'
import { useTitle } from '../core/title.ts'
import { type RailEntry, RailPage } from '../parts/rail.tsx'
import { Empty } from '../parts/states.tsx'
import { Absences } from './settings/absences.tsx'
import { Access } from './settings/access/access.tsx'
import { AfterNewPassword } from './settings/access/end-all.tsx'
import { ApiKeys } from './settings/api-keys.tsx'
import { Appearance } from './settings/appearance.tsx'
import { Factors } from './settings/factors.tsx'
import { Leaving } from './settings/leaving.tsx'
import { Mail } from './settings/mail/mail.tsx'
import { OwnAddress } from './settings/own-address.tsx'
import { OwnGroups } from './settings/own-groups.tsx'
import { OwnName } from './settings/own-name.tsx'
import { OwnNick } from './settings/own-nick.tsx'
import { OwnPassword } from './settings/own-password.tsx'
import { OwnPresence } from './settings/own-presence.tsx'
import { OwnVotes } from './settings/own-votes.tsx'
import { SavedSearches } from './settings/saved-searches.tsx'
import { ScheduledMails } from './settings/scheduled/scheduled-mails.tsx'
import { Sessions } from './settings/sessions.tsx'
import { Webhooks } from './settings/webhooks/webhooks.tsx'

interface SettingsPart extends RailEntry {
  Part: ComponentType<{ who: Me }>
  isWide?: boolean
  /** Whether the reader has a use for it; absent for pages that everybody has. */
  isFor?(): boolean
}

/** The pages of the settings, in the order of the rail. */
const PARTS: readonly [SettingsPart, ...SettingsPart[]] = [
  { address: '/settings', title: 'Account', icon: 'user', group: 'Settings', Part: Account },
  { address: '/settings/mail', title: 'Mail', icon: 'mail', group: 'Settings', Part: Mail, isWide: true },
  { address: '/settings/searches', title: 'Saved searches', icon: 'search', group: 'Settings', Part: SavedSearches },
  {
    ...{ address: '/settings/scheduled-mail', title: 'Scheduled mail', icon: 'clock', group: 'Settings' },
    Part: ScheduledMails,
    isFor: maySchedule,
  },
  { address: '/settings/votes', title: 'Votes', icon: 'up', group: 'Settings', Part: OwnVotes },
  { address: '/settings/factors', title: 'Second factors', icon: 'lock', group: 'Settings', Part: Factors },
  { address: '/settings/keys', title: 'API keys', icon: 'key', group: 'Settings', Part: ApiKeys },
  { address: '/settings/webhooks', title: 'Webhooks', icon: 'out', group: 'Settings', Part: Webhooks, isWide: true },
  { address: '/settings/access', title: 'What acts for me', icon: 'eye', group: 'Settings', Part: Access },
]

export function View({ parts }: { parts: Address['parts'] }) {
  const shown = PARTS.find(({ address }) => address === `/settings/${parts.part}`) ?? PARTS[0]
  useTitle(shown === PARTS[0] ? 'Settings' : shown.title)
  const who = me.value
  return (
    <RailPage
      name="Settings"
      entries={who === undefined ? [] : PARTS.filter(({ isFor }) => isFor?.() ?? true)}
      current={shown}
      isWide={shown.isWide ?? false}
    >
      {shown === PARTS[0] && <Appearance />}
      {who === undefined ? <LogInFirst /> : <shown.Part who={who} />}
    </RailPage>
  )
}

function Account({ who }: { who: Me }) {
  const [isPasswordNew, setPasswordNew] = useState(false)
  return (
    <>
      <OwnName who={who} />
      <OwnNick />
      <OwnPassword who={who} onChanged={() => setPasswordNew(true)} />
      {parameters.value.allowemailchange === '1' && <OwnAddress who={who} />}
      <Absences />
      <OwnPresence who={who} />
      <OwnGroups />
      <Sessions />
      <Leaving who={who} />
      {isPasswordNew && <AfterNewPassword who={who} onAsked={() => setPasswordNew(false)} />}
    </>
  )
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
