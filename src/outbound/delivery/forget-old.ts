import { readSettings } from '../../access/installation.ts'
import { freeUnattachedContents } from '../../changes/stored-contents.ts'
import { forgetClients } from '../../people/oauth/clients/client-store.ts'
import { deletePresencesBefore } from '../../people/presence/presence-setting-store.ts'
import { doOncePerDay } from '../../platform/database/chores.ts'
import type { Db } from '../../platform/database/db.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { deleteCodeDeliveriesBefore } from '../code/incoming/code-delivery-store.ts'
import { KEPT_DAYS } from '../inbox/inbox-entry.ts'
import { forgetCrowdedEntries, forgetSomeEntries } from '../inbox/note-store.ts'
import { deleteMessagesBefore, deleteRefusalsBefore } from '../incoming/incoming-store.ts'
import { deleteKeptMail, mailFolderIn } from '../mail/sending/delete-kept-mail.ts'
import { deleteDeliveriesBefore } from '../webhooks/deliveries/delivery-store.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { runInRounds } from './rounds.ts'

const DAY_SECONDS = 86_400
const DELIVERIES_DAYS = 14
const CODE_DELIVERIES_DAYS = 30
/** No mail server retries a message for longer. */
const MESSAGES_DAYS = 90
const HOUR_MILLISECONDS = 3_600_000
/** The thread in which this runs may live only for a minute. */
const FIRST_MILLISECONDS = 20_000

/**
 * Once a day, deletes old records of incoming messages and webhook deliveries, and stored files that were never
 * attached.
 */
export function forgetOld({ db, config, log }: Pick<DeliveryContext, 'db' | 'config' | 'log'>) {
  const pauses = { batchMilliseconds: FIRST_MILLISECONDS, idleMilliseconds: HOUR_MILLISECONDS }
  return runInRounds({ name: 'deleting old messages', log, ...pauses }, async () => {
    await doOncePerDay(db, 'old messages', timeNow().slice(0, 10), async () => {
      await deleteDeliveriesBefore(db, secondsAgo(DELIVERIES_DAYS * DAY_SECONDS))
      await deleteCodeDeliveriesBefore(db, secondsAgo(CODE_DELIVERIES_DAYS * DAY_SECONDS))
      await deleteMessagesBefore(db, secondsAgo(MESSAGES_DAYS * DAY_SECONDS))
      await deleteRefusalsBefore(db, secondsAgo(MESSAGES_DAYS * DAY_SECONDS))
    })
    await doOncePerDay(db, 'old inbox entries', timeNow().slice(0, 10), async (goesOn) => {
      while (await forgetSomeEntries(db, secondsAgo(KEPT_DAYS * DAY_SECONDS), timeNow())) await goesOn()
    })
    await doOncePerDay(db, 'unused programs', timeNow().slice(0, 10), () => db.transaction(forgetClients, 'accounts'))
    await doOncePerDay(db, 'old presences', timeNow().slice(0, 13), () => deletePresencesBefore(db, timeNow()))
    await doOncePerDay(db, 'crowded inboxes', timeNow().slice(0, 13), (goesOn) => forgetCrowdedEntries(db, goesOn))
    await doOncePerDay(db, 'forgotten contents', timeNow().slice(0, 10), async (goesOn) => {
      while (await freeUnattachedContents(db, secondsAgo(DAY_SECONDS))) await goesOn()
    })
    await forgetKeptMail(db, config.dataFolder)
    return false
  })
}

/** Runs on every server, because each may have a data folder of its own. */
export async function forgetKeptMail(db: Db, dataFolder: string) {
  const { keep_mail_days: days } = await readSettings(db)
  await deleteKeptMail(mailFolderIn(dataFolder), days)
}
