import type { MailEvent, MailPreferences, Role } from '../preferences/mail-preference.ts'

/** Why somebody may be told: what they are to the bug themselves, or what somebody is whom they watch. */
export interface Reason {
  role: Role | 'global_watcher'
  /** Login of the one who is watched. */
  watched?: string
}

/** What happened, and to which bug, as far as it decides whether somebody wants to be told. */
export interface MailTrigger {
  events: ReadonlySet<MailEvent>
  /** The logins that came into a role or went out of it. */
  people: ReadonlyMap<Role, ReadonlySet<string>>
  isOwn: boolean
  isUnconfirmed: boolean
}

/** The reasons that are reason enough: somebody is told when there is one. `login` is theirs. */
export function reasonsThatCount(
  preferences: MailPreferences,
  login: string,
  reasons: readonly Reason[],
  occasion: MailTrigger,
): Reason[] {
  return reasons.filter((reason) => counts(preferences, login, reason, occasion))
}

/** Those who watch everything are always told. Otherwise some event must be wanted, and the case in which it happened too. */
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
