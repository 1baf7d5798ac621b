import type { MailEvent, MailPreferences, Role } from '../preferences/mail-preference.ts'

/** Why a user may get mail: their own role in the bug, or the role of a user whom they watch. */
export interface Reason {
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
export function reasonsThatCount(
  preferences: MailPreferences,
  login: string,
  reasons: readonly Reason[],
  occasion: MailTrigger,
): Reason[] {
  return reasons.filter((reason) => counts(preferences, login, reason, occasion))
}

/** Users who watch all bugs always get mail. Otherwise an event and the case in which it happened must be wanted. */
function counts(
  preferences: MailPreferences,
  login: string,
  { role, watched }: Reason,
  occasion: MailTrigger,
): boolean {
  if (role === 'global_watcher') return true
  if (occasion.isOwn && !preferences.wants(role, 'own_changes')) return false
  if (occasion.isUnconfirmed && !preferences.wants(role, 'unconfirmed')) return false
  const isAboutRole = occasion.people.get(role)?.has(watched ?? login) ?? false
  const events: MailEvent[] = [...occasion.events, ...(isAboutRole ? (['role'] as const) : [])]
  return events.some((event) => preferences.wants(role, event))
}
