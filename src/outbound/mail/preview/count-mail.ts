import { MAIL_PRESETS, type MailPreset, PRESET_MATRIX } from '../../../../shared/mail-preferences.ts'
import type { SignedIn } from '../../../access/caller.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { separateAddresses } from '../../../catalogue/flag-types/flag-type.ts'
import type { LimitedDb } from '../../../platform/database/db.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import { fold } from '../../../platform/text/fold.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'
import { forgottenPosition, listEventsWithIds } from '../../events/outbox-store.ts'
import { findAccount } from '../addressee/addressee-store.ts'
import { accountWith } from '../addressee/find-addressee.ts'
import type { MailContext } from '../mail-context.ts'
import type { MailJob } from '../mail-job.ts'
import { type MailPreferences, preferencesIn } from '../preferences/mail-preference.ts'
import { type MailSettings, readMailSettings } from '../preferences/mail-settings.ts'
import { globalWatchers, possibleMail } from '../recipients/possible-mail.ts'
import {
  type EventsOf,
  eventRangeSince,
  listEventsOf,
  listFlagTypesWithCcList,
  timeOfEvent,
} from './recent-event-store.ts'
import { seenMessages } from './seen-messages.ts'

export const DAYS = 7
/** So many of the newest events are looked through, and mail is counted for so many of those that concern the user. */
export const MOST_EVENTS_READ = 100_000
export const MOST_EVENTS_COUNTED = 2000
/** The texts of so many comments are in memory at once. */
const EVENTS_AT_ONCE = 100

type Choice = MailPreset | 'present'

export interface MailCounts {
  since: string
  isAtLeast: boolean
  isMailOn: boolean
  counts: Record<Choice, number>
}

type CountingContext = MailContext & { db: LimitedDb; caller: SignedIn }

/** How many messages the last days would have sent to the caller, by each preset and by their present choice. */
export async function countMail(context: CountingContext): Promise<MailCounts> {
  const { db, caller, settings: rules } = context
  const chosen = await readMailSettings(db, caller.id)
  const weekAgo = secondsAgo(DAYS * 86_400)
  const week = await eventRangeSince(db, weekAgo)
  const range = { ...week, first: Math.max(week.first, week.last - MOST_EVENTS_READ + 1) }
  const recipient = await recipientIn(context, chosen)
  const found = await listEventsOf(db, rules, range, recipient, MOST_EVENTS_COUNTED + 1)
  const ids = found.slice(0, MOST_EVENTS_COUNTED)
  const isFull = found.length > ids.length
  const isMailOn = (await findAccount(db, caller.id, 0))?.email_enabled === 1
  const isCut = isFull || range.first > week.first || (week.hasAll && (await forgottenPosition(db)) > 0)
  const since = isCut ? await timeOfEvent(db, isFull ? (ids.at(-1) ?? range.first) : range.first) : undefined
  return {
    since: since ?? weekAgo,
    isAtLeast: isFull || range.first > week.first,
    isMailOn,
    counts: await countChoices(context, chosen, recipient, isMailOn ? ids : []),
  }
}

/** The caller, as far as it decides which events concern them. */
type Recipient = EventsOf & { ownAddresses: ReadonlySet<string> }

async function recipientIn(context: CountingContext, { watched }: MailSettings): Promise<Recipient> {
  const { db, caller, settings } = context
  const types = (await listFlagTypesWithCcList(db)).map(({ id, cc_list }) => ({
    id,
    addresses: separateAddresses(cc_list),
  }))
  const ownAddresses = new Set<string>()
  for (const address of new Set(types.flatMap(({ addresses }) => addresses)))
    if (fold(address).includes(fold(caller.login)) && (await accountWith(context, address)) === caller.id)
      ownAddresses.add(address)
  return {
    userId: caller.id,
    viewer: viewerOf(caller),
    userIds: [caller.id, ...watched.map(({ id }) => id)],
    logins: [caller.login, ...watched.map(({ login }) => login)],
    flagTypeIds: types.filter(({ addresses }) => addresses.some((it) => ownAddresses.has(it))).map(({ id }) => id),
    watchesAllBugs: globalWatchers(settings).includes(fold(caller.login)),
    ownAddresses,
  }
}

async function countChoices(
  context: CountingContext,
  { preferences, ignored }: MailSettings,
  recipient: Recipient,
  ids: readonly number[],
): Promise<MailCounts['counts']> {
  const { db } = context
  const { userId } = recipient
  const only = { userIds: [userId], people: new Set(recipient.userIds) }
  const ignores = new Set(ignored)
  const presets = MAIL_PRESETS.map((name): [Choice, MailPreferences] => [name, preferencesIn(PRESET_MATRIX[name])])
  const choices: [Choice, MailPreferences][] = [['present', preferences], ...presets]
  const counts = Object.fromEntries(choices.map(([name]) => [name, 0])) as MailCounts['counts']
  const isOwn = ({ to, bugId }: MailJob) =>
    ('userId' in to ? to.userId === userId : recipient.ownAddresses.has(to.address)) && !ignores.has(bugId)
  for (let from = 0; from < ids.length; from += EVENTS_AT_ONCE) {
    if (isTurnLong()) await laterTurn()
    const events = await listEventsWithIds(db, ids.slice(from, from + EVENTS_AT_ONCE))
    const { changes, requests } = await possibleMail(db, context, events, only)
    const messages = await seenMessages(context, [...changes.map(({ job }) => job), ...requests.filter(isOwn)])
    for (const [name, wanted] of choices) counts[name] += messages.filter((isWantedBy) => isWantedBy(wanted)).length
  }
  return counts
}
