import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { forgetOldest } from '../platform/queues/forget-oldest.ts'
import { digest } from '../platform/secrets/secrets.ts'
import { secondsAgo, timeNow } from '../platform/time/clock.ts'
import { OWN_LIMITS } from './own-limits.ts'

/** A request that must be carried out once, however often it is sent. */
export interface OneTimeRequest {
  userId: number
  key: string
  /** The content of the request. A different request with the same key is refused. */
  content: unknown
}

export interface OneTimeReply {
  value: unknown
  isRepeated: boolean
}

const KEPT_SECONDS = 24 * 60 * 60
const LONGEST_KEY = 255
const UNDER_WAY = 0
const DONE = 200
/** Besides the body: the digests. */
const CHARACTERS_OF_A_ROW = 200

const forgetOld = statement<{ before: string }>()((q, p) =>
  q.deleteFrom('idempotent_replies').where('at', '<', p.before),
)
const claim = statement<{ userId: number; key: string; digest: string; at: string }>()((q, p) =>
  q
    .insertInto('idempotent_replies')
    .values({
      user_id: p.userId,
      idempotency_key: p.key,
      request_digest: p.digest,
      status: UNDER_WAY,
      body: '',
      at: p.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
)
const find = statement<{ userId: number; key: string; since: string }>()((q, p) =>
  q
    .selectFrom('idempotent_replies')
    .select(['request_digest', 'body'])
    .where('user_id', '=', p.userId)
    .where('idempotency_key', '=', p.key)
    .where('at', '>=', p.since),
)
const keep = statement<{ userId: number; key: string; body: string }>()((q, p) =>
  q
    .updateTable('idempotent_replies')
    .set({ status: DONE, body: p.body })
    .where('user_id', '=', p.userId)
    .where('idempotency_key', '=', p.key),
)

const forgetMore = statement<{ userId: number; most: number }>()((q, p) =>
  q
    .deleteFrom('idempotent_replies')
    .where('user_id', '=', p.userId)
    .where('idempotency_key', 'in', (older) =>
      older
        .selectFrom((all) =>
          all
            .selectFrom('idempotent_replies')
            .select('idempotency_key')
            .select(
              sql<number>`sum(length(body) + ${sql.lit(CHARACTERS_OF_A_ROW)}) over (order by at desc, idempotency_key)`.as(
                'characters',
              ),
            )
            .where('user_id', '=', p.userId)
            .where('status', '=', DONE)
            .as('replies'),
        )
        .select('idempotency_key')
        .where('characters', '>', p.most),
    ),
)

/** Characters that were stored for each user since the oldest were last removed. Nothing is known of users who are not in it. */
const storedIn = new WeakMap<Db, Map<number, number>>()
/** A part of the limit: so much is stored before the oldest are looked for again. */
const BETWEEN = 1 / 40
const MOST_USERS = 10_000

/** Removes the oldest replies of a user who has too many: not each time, because that reads all of them. */
async function forgetTooMany(db: Db, userId: number, added: number) {
  const { most } = OWN_LIMITS.idempotentCharacters
  const between = most * BETWEEN
  const stored = storedIn.get(db) ?? new Map<number, number>()
  const since = (stored.get(userId) ?? between) + added + CHARACTERS_OF_A_ROW
  storedIn.set(db, stored.set(userId, since < between ? since : 0))
  forgetOldest(stored, MOST_USERS)
  if (since >= between) await db.all(forgetMore, { userId, most: most - between })
}

/**
 * `ahead` runs before the transaction and may run more than once. `run` runs in the transaction, with the result of
 * `ahead`.
 */
export interface OneTimeWork<Ahead> {
  ahead(): Promise<Ahead>
  run(tx: Db, ahead: Ahead): Promise<unknown>
}

/**
 * Carries out a request and stores its response in one transaction. For a day, the same request with the same key gets
 * the stored response and nothing is done again. A request that was refused may be sent again and is tried again.
 */
export async function runOnce<Ahead>(db: Db, request: OneTimeRequest, work: OneTimeWork<Ahead>): Promise<OneTimeReply> {
  const { userId } = request
  const secret = requireKey(request.key)
  const key = digest(secret)
  const requestDigest = digest(JSON.stringify(request.content))
  const known = await findReply(db, userId, key)
  if (known) return replay(known, secret, requestDigest)
  const [ahead] = await Promise.allSettled([work.ahead()])
  const { characters, ...reply } = await db.transaction(async (tx) => {
    await tx.all(forgetOld, { before: secondsAgo(KEPT_SECONDS) })
    // Waits for a running transaction that has claimed the same key.
    const isFirst = (await tx.first(claim, { userId, key, digest: requestDigest, at: timeNow() })) !== undefined
    if (!isFirst) return { ...replay(await findReply(tx, userId, key), secret, requestDigest), characters: 0 }
    // Thrown only now: a parallel request with the same key may have succeeded.
    if (ahead.status === 'rejected') throw ahead.reason
    const value = await work.run(tx, ahead.value)
    const body = encrypted(JSON.stringify(value), secret)
    await tx.all(keep, { userId, key, body })
    return { value, isRepeated: false, characters: body.length }
  })
  if (!reply.isRepeated) await forgetTooMany(db, userId, characters)
  return reply
}

interface StoredReply {
  request_digest: string
  body: string
}

function findReply(db: Db, userId: number, key: string): Promise<StoredReply | undefined> {
  return db.first(find, { userId, key, since: secondsAgo(KEPT_SECONDS) })
}

function replay(first: StoredReply | undefined, secret: string, requestDigest: string): OneTimeReply {
  if (first?.request_digest !== requestDigest) throw errors.key_used_otherwise()
  return { value: JSON.parse(decrypted(first.body, secret)), isRepeated: true }
}

// A response may contain a secret that is shown only once, such as a new API key. It is encrypted with the
// Idempotency-Key, of which only a digest is stored: only a client that sends the key again can read it.

const CIPHER = 'aes-256-gcm'

function encrypted(text: string, secret: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, cipherKey(secret), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url')).join('.')
}

function decrypted(text: string, secret: string): string {
  const [nonce, tag, body] = text.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer]
  const decipher = createDecipheriv(CIPHER, cipherKey(secret), nonce).setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

function cipherKey(secret: string): Buffer {
  return hash('sha256', `lacewing idempotent reply ${secret}`, 'buffer')
}

function requireKey(key: string): string {
  const isUsable = key.length <= LONGEST_KEY && /^[\x20-\x7e]+$/.test(key)
  if (isUsable) return key
  throw errors.bad_value({
    name: 'Idempotency-Key',
    value: key,
    right: `it must have 1 to ${LONGEST_KEY} plain characters`,
  })
}
