import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { randomWord } from '../platform/secrets/secrets.ts'

/** What the secrets are for. */
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

/** Makes the secrets that an installation does not have yet, at the start: a read should not have to write one. */
export async function makeInstallationSecrets(db: Db) {
  const names = new Set((await db.all(known, {})).map(({ name }) => name))
  for (const name of NAMES) if (!names.has(name)) await db.all(insert, { name, value: randomWord(LENGTH) })
}

const secrets = new WeakMap<Db, Map<SecretName, string>>()

/** A secret of the installation. It is the same in every process, never changes, and is read once. */
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
