import { PRESET_MATRIX } from '../../../../shared/mail-preferences.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { MessageContent } from '../message/message-content.ts'
import { choiceOf, flagChoiceOf, roleChoices, roles } from '../preferences/mail-preference.ts'
import { saveChoices } from '../preferences/mail-preference-store.ts'
import { type Unsubscription, unsubscribeToken } from './unsubscribe-address.ts'
import { deleteWatches, ignoreBugs, listWatchesOf } from './unsubscribe-store.ts'

/** The address that ends mail such as this: the watches, if these are its only reasons, otherwise all mail about the bug. */
export async function unsubscribeAddress(
  db: Db,
  site: string,
  { userId, bugId }: { userId: number; bugId: number },
  { reasons, request }: Pick<MessageContent, 'reasons' | 'request'>,
): Promise<string> {
  const isWatched = request === undefined && reasons.every(({ role, watched }) => !watched && WATCHED.has(role))
  const watches = isWatched ? await listWatchesOf(db, userId, bugId) : []
  const what: Unsubscription =
    watches.length > 0 ? { userId, kind: 'watch', ids: watches } : { userId, kind: 'bug', ids: [bugId] }
  return `${site}/unsubscribe/${await unsubscribeToken(db, what)}`
}

const WATCHED: ReadonlySet<string> = new Set(['watched_component', 'watched_product', 'watched_keyword'])

const ONLY_REQUESTS = [
  ...roles.flatMap((role) => roleChoices.map((what) => choiceOf(role, what, PRESET_MATRIX.requests[role][what]))),
  flagChoiceOf('mentioned', PRESET_MATRIX.requests.flags.mentioned),
]

/** The same each time, and also if the account, the bug or the watch is gone. */
export function unsubscribe(db: Db, { userId, kind, ids }: Unsubscription): Promise<void> {
  return db.transaction(async (tx) => {
    if (kind === 'digest') await saveChoices(tx, userId, ONLY_REQUESTS)
    else if (kind === 'watch') await deleteWatches(tx, userId, ids)
    else await ignoreBugs(tx, userId, ids)
  }, 'accounts')
}
