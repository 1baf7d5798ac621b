import { sql } from 'kysely'
import { EMPTY_KEY } from '../platform/contents/content-store.ts'
import type { Db } from '../platform/database/db.ts'
import { addJobs } from '../platform/database/new-jobs.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { secondsAgo, timeNow } from '../platform/time/clock.ts'

/**
 * Records which contents the store has for attachments. The store is not transactional: it could delete a content while
 * a user attaches the same bytes again. So a freed key is never used again; the same bytes get a new key.
 */

export const CONTENT_QUEUE = 'contents'

/** A job in the queue CONTENT_QUEUE: a content to be deleted from the store. */
export interface ContentJob {
  key: string
}

const FRESH_SECONDS = 3600

const ofDigest = statement<{ digest: string }>()((q, p) =>
  q.selectFrom('stored_contents').select(['key', 'stored_at', 'freed_at']).where('digest', '=', p.digest),
)
const insert = statement<{ key: string; digest: string; at: string }>()((q, p) =>
  q
    .insertInto('stored_contents')
    .values({ key: p.key, digest: p.digest, stored_at: p.at })
    .onConflict((conflict) => conflict.column('key').doNothing()),
)
const renew = statement<{ key: string; at: string }>()((q, p) =>
  q.updateTable('stored_contents').set({ stored_at: p.at }).where('key', '=', p.key),
)

/**
 * The key under which to store bytes with this digest. To be called before storing them, so that every content in the
 * store is recorded.
 */
export async function keyForContent(db: Db, digest: string): Promise<string> {
  const rows = await db.all(ofDigest, { digest })
  const inUse = rows.find(({ freed_at }) => freed_at === null)
  const at = timeNow()
  if (inUse !== undefined) {
    if (inUse.stored_at < secondsAgo(FRESH_SECONDS)) await db.all(renew, { key: inUse.key, at })
    return inUse.key
  }
  const key = rows.length === 0 ? digest : `${digest}.${rows.length}`
  await db.all(insert, { key, digest, at })
  return keyForContent(db, digest)
}

const lockedContent = statement<{ key: string }>()((q, p, d) =>
  q.selectFrom('stored_contents').select('freed_at').where('key', '=', p.key).modifyEnd(d.locked()),
)

/**
 * To be called in the transaction that attaches a stored content: the content is not freed before the transaction ends.
 * Throws if it was freed already.
 */
export async function lockContent(tx: Db, key: string) {
  const row = await tx.first(lockedContent, { key })
  if (row === undefined || row.freed_at !== null) throw errors.overloaded({ seconds: 1 })
}

const lockKeys = statement<{ keys: string }>()((q, p, d) =>
  q
    .selectFrom('stored_contents')
    .select('key')
    .where('key', 'in', d.textsIn(p.keys))
    .orderBy('key')
    .modifyEnd(d.locked()),
)
const free = statement<{ keys: string; at: string }>()((q, p, d) =>
  q
    .updateTable('stored_contents')
    .set({ freed_at: p.at })
    .where('key', 'in', d.textsIn(p.keys))
    .where('freed_at', 'is', null)
    .where(isUnused)
    .returning('key'),
)
const isUnused = sql<boolean>`not exists (select 1 from attachments where attachments.content_digest = stored_contents.key)`

/**
 * Frees those of these contents that no attachment uses any more. Their rows are locked first: if two transactions
 * remove the last two uses at once, the second one sees that none is left.
 */
export async function freeUnusedContents(tx: Db, keys: readonly string[]) {
  const listed = JSON.stringify([...new Set(keys)].filter((key) => key !== EMPTY_KEY))
  if (listed === '[]') return
  await tx.all(lockKeys, { keys: listed })
  const freed = await tx.all(free, { keys: listed, at: timeNow() })
  await addJobs(
    tx,
    freed.map(({ key }) => ({ queue: CONTENT_QUEUE, lane: key, payload: { key } satisfies ContentJob })),
  )
}

const MOST_CONTENTS_AT_ONCE = 500

const unattached = statement<{ before: string }>()((q, p) =>
  q
    .selectFrom('stored_contents')
    .select('key')
    .where('freed_at', 'is', null)
    .where('stored_at', '<', p.before)
    .where(isUnused)
    .limit(MOST_CONTENTS_AT_ONCE),
)

/** Frees contents that were stored for attachments that were refused afterwards. Returns whether there may be more. */
export function freeUnattachedContents(db: Db, before: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const keys = (await tx.all(unattached, { before })).map(({ key }) => key)
    if (keys.length > 0) await freeUnusedContents(tx, keys)
    return keys.length === MOST_CONTENTS_AT_ONCE
  })
}
