import { createHmac, timingSafeEqual } from 'node:crypto'
import { readSecret } from '../../../access/installation-secrets.ts'
import type { Db } from '../../../platform/database/db.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'

const KINDS = ['bug', 'watch', 'digest'] as const
type UnsubscriptionKind = (typeof KINDS)[number]

/** What the address in a message ends: mail about one bug, or these watches, or digests, and with them all mail but requests. */
export interface Unsubscription {
  userId: number
  kind: UnsubscriptionKind
  ids: readonly number[]
}

const MOST_IDS = 10
const FORM = /^(\d{1,10})\.(bug|watch|digest)\.(\d{1,10}(?:-\d{1,10}){0,9})\.([\w-]{43})$/

/** The part of the address after /unsubscribe/: readable, and signed, so that nobody can make one for another user. */
export async function unsubscribeToken(db: Db, { userId, kind, ids }: Unsubscription): Promise<string> {
  const text = `${userId}.${kind}.${ids.slice(0, MOST_IDS).join('-')}`
  return `${text}.${await signatureOf(db, text)}`
}

/** Undefined if it is not signed by this installation. */
export async function unsubscriptionIn(db: Db, token: string): Promise<Unsubscription | undefined> {
  const [, user = '', kind = '', ids = '', signature = ''] = FORM.exec(token) ?? []
  const expected = Buffer.from(await signatureOf(db, `${user}.${kind}.${ids}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const numbers = [user, ...ids.split('-')].map(Number)
  if (numbers.some((number) => number > LARGEST_ID)) return undefined
  return { userId: Number(user), kind: KINDS.find((it) => it === kind) ?? 'bug', ids: numbers.slice(1) }
}

async function signatureOf(db: Db, text: string) {
  return createHmac('sha256', await readSecret(db, 'unsubscribe'))
    .update(`unsubscribe ${text}`)
    .digest('base64url')
}
