import type { MailEvent, MailPreferences, Role } from '../preferences/mail-preference.ts'

/** Why a user may get mail: their own role in the bug, or the role of a user whom they watch. */
export interface MailReason {
  role: Role | 'global_watcher'
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

/** Users who watch all bugs always get mail. Otherwise an event and the case in which it happened must be wanted. */
function isSufficient(
  preferences: MailPreferences,
  login: string,
  { role, watched }: MailReason,
  trigger: MailTrigger,
): boolean {
  if (role === 'global_watcher') return true
  if (trigger.isOwn && !preferences.wants(role, 'own_changes')) return false
  if (trigger.isUnconfirmed && !preferences.wants(role, 'unconfirmed')) return false
  const isAboutRole = trigger.people.get(role)?.has(watched ?? login) ?? false
  const events: MailEvent[] = [...trigger.events, ...(isAboutRole ? (['role'] as const) : [])]
  return events.some((event) => preferences.wants(role, event))
}
