import { errors } from '../platform/errors.ts'

interface OwnLimit {
  most: number
  what: string
  /** What the user can do about a refusal. Without it nothing is refused: these are removed first. */
  remedy?: string
  removedFirst?: string
}

/** What one account can pile up. An import keeps more, which its owner can still change and delete. */
export const OWN_LIMITS = {
  savedSearches: { most: 500, what: 'saved searches and reports', remedy: 'delete one first' },
  savedCharacters: {
    most: 1_000_000,
    what: 'characters in all saved searches and reports',
    remedy: 'delete one first',
  },
  dashboards: { most: 50, what: 'dashboards', remedy: 'delete one first' },
  absences: { most: 50, what: 'absences', remedy: 'delete one first' },
  apiKeys: { most: 200, what: 'API keys that are not revoked', remedy: 'revoke one first' },
  revokedKeys: {
    most: 200,
    what: 'revoked API keys',
    removedFirst: 'those that were created first, when a key is created',
  },
  sessions: { most: 2000, what: 'sessions', removedFirst: 'those that were not used for longest' },
  secondFactors: { most: 20, what: 'second factors and passkeys', remedy: 'remove one first' },
  webhooks: { most: 50, what: 'webhooks', remedy: 'delete one first' },
  scheduledMails: { most: 50, what: 'scheduled mails', remedy: 'delete one first' },
  reminders: { most: 500, what: 'reminders', remedy: 'delete one first' },
  series: { most: 100, what: 'series of charts', remedy: 'delete one first' },
  personalTags: { most: 10_000, what: 'personal tags on all bugs', remedy: 'remove some first' },
  watchedUsers: { most: 1000, what: 'watched users', remedy: 'remove some first' },
  watches: { most: 1000, what: 'watched products, components and keywords', remedy: 'remove some first' },
  ignoredBugs: { most: 10_000, what: 'ignored bugs', remedy: 'remove some first' },
  reactions: { most: 20_000, what: 'reactions to comments', remedy: 'take some back first' },
  inboxEntries: {
    most: 2000,
    what: 'entries of the inbox, with those that were put away',
    removedFirst: 'those that are done, then the oldest',
  },
  lastVisits: { most: 10_000, what: 'visits to bugs', removedFirst: 'the oldest' },
  idempotentCharacters: {
    most: 20_000_000,
    what: 'characters of responses that are stored for an Idempotency-Key',
    removedFirst: 'the oldest',
  },
} as const satisfies Record<string, OwnLimit>

export type OwnLimitName = keyof typeof OWN_LIMITS

type RefusingLimit = {
  [Name in OwnLimitName]: (typeof OWN_LIMITS)[Name] extends { remedy: string } ? Name : never
}[OwnLimitName]

/** Refuses what would be too much. What is already too much, from an import, may stay and shrink. Call it where no other transaction of the user adds. */
export function requireOwnRoom(name: RefusingLimit, before: number, added = 1) {
  const { most, what, remedy } = OWN_LIMITS[name]
  if (added <= 0 || before + added <= most) return
  throw errors.own_limit({ limit: apiNameOf(name), most, subject: what, remedy })
}

/** As an error and the documentation name it: `savedSearches` is `saved_searches`. */
export function apiNameOf(name: OwnLimitName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
