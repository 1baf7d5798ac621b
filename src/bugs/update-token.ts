import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import { digest, randomWord } from '../platform/secrets.ts'

const find = statement<{ name: string }>()((q, p) =>
  q.selectFrom('installation_secrets').select('value').where('name', '=', p.name),
)
const insert = statement<{ name: string; value: string }>()((q, p) =>
  q
    .insertInto('installation_secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
)

const NAME = 'update_token'
const secrets = new WeakMap<Db, string>()

/** The secret of this installation: made when it is first needed, and the same in every process. */
export function updateTokenSecret(db: Db): string | Promise<string> {
  return secrets.get(db) ?? findSecret(db)
}

async function findSecret(db: Db): Promise<string> {
  if (!(await db.first(find, { name: NAME }))) await db.all(insert, { name: NAME, value: randomWord(43) })
  const value = (await db.first(find, { name: NAME }))?.value as string
  secrets.set(db, value)
  return value
}

interface Revised {
  id: number
  revision: number
  changed_at: string
}

/** Of the old form that is answered for old clients. It changes with every change of the bug, and only then, so that a read can be cached. */
export function updateTokenFor(secret: string, userId: number, { id, revision, changed_at }: Revised): string {
  const seconds = Date.parse(changed_at) / 1000
  return `${seconds}-${proofOf(secret, `${seconds} ${userId} ${id} ${revision}`)}`
}

/** Half of a digest, so that nobody can go on from a known proof: one digest is enough, and it is made for every read. */
function proofOf(secret: string, text: string) {
  return digest(`${secret} ${text}`).slice(0, PROOF_LENGTH)
}

/** Over 128 bits. */
const PROOF_LENGTH = 22
