import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { randomWord } from '../platform/secrets/secrets.ts'

const NAMES = ['update_token', 'mail_address', 'email_change'] as const

export type SecretName = (typeof NAMES)[number]

const find = statement<{ name: string }>()((q, p) =>
  q.selectFrom('installation_secrets').select('value').where('name', '=', p.name),
)
const known = statement<object>()((q) => q.selectFrom('installation_secrets').select('name'))
const insert = statement<{ name: string; value: string }>()((q, p) =>
  q
    .insertInto('installation_secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
)

const LENGTH = 43

/** Creates missing secrets at startup, so that no read has to write one. */
export async function makeInstallationSecrets(db: Db) {
  const names = new Set((await db.all(known, {})).map(({ name }) => name))
  for (const name of NAMES) if (!names.has(name)) await db.all(insert, { name, value: randomWord(LENGTH) })
}

const secrets = new WeakMap<Db, Map<SecretName, string>>()

/** A secret of the installation. It never changes, is the same in every process, and is read from the database once. */
export function installationSecret(db: Db, name: SecretName): string | Promise<string> {
  return secrets.get(db)?.get(name) ?? findSecret(db, name)
}

async function findSecret(db: Db, name: SecretName): Promise<string> {
  const found = await db.first(find, { name })
  if (found === undefined) {
    await db.all(insert, { name, value: randomWord(LENGTH) })
    return findSecret(db, name)
  }
  const own = secrets.get(db) ?? new Map<SecretName, string>()
  secrets.set(db, own.set(name, found.value))
  return found.value
}
