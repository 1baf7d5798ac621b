import { type ReasonName, reasonNamed } from '../../../../shared/reasons.ts'
import type { MailEvent, MailPreferences, Role } from '../preferences/mail-preference.ts'

/** Why a user may get mail: their own reason, or the role of a user whom they watch. */
export interface MailReason {
  role: ReasonName
  /** Login of the watched user. */
  watched?: string
}

/** What happened, as far as it decides whether a user wants mail. */
export interface MailTrigger {
  events: ReadonlySet<MailEvent>
  /** The logins that gained or lost a role. */
  people: ReadonlyMap<Role, ReadonlySet<string>>
  isOwn: boolean
  isUnconfirmed: boolean
}

/** The reasons that are sufficient: one is enough for mail. `login` is the recipient's. */
export function sufficientReasons(
  preferences: MailPreferences,
  login: string,
  reasons: readonly MailReason[],
  trigger: MailTrigger,
): MailReason[] {
  return reasons.filter((reason) => isSufficient(preferences, login, reason, trigger))
}

/** Some reasons always suffice. Otherwise an event and the case in which it happened must be wanted for the reason. */
function isSufficient(preferences: MailPreferences, login: string, reason: MailReason, trigger: MailTrigger): boolean {
  const { watched } = reason
  const role = reasonNamed(reason.role).preference
  // Who may not see the comment must not learn that it mentions them.
  if (role === 'mentioned')
    return (
      !trigger.isOwn &&
      preferences.wantsFlag('mentioned') &&
      (trigger.events.has('comment') || trigger.events.has('created'))
    )
  if (role === 'always') return true
  if (role === 'flags') return preferences.wantsFlag('requested')
  if (trigger.isOwn && !preferences.wants(role, 'own_changes')) return false
  if (trigger.isUnconfirmed && !preferences.wants(role, 'unconfirmed')) return false
  const isAboutRole = trigger.people.get(role)?.has(watched ?? login) ?? false
  const events: MailEvent[] = [...trigger.events, ...(isAboutRole ? (['role'] as const) : [])]
  return events.some((event) => preferences.wants(role, event))
}
