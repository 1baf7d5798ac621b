import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { randomWord } from '../platform/secrets/secrets.ts'
import type { CataloguePart } from './installation.ts'

const NAMES = [
  'update_token',
  'mail_address',
  'email_change',
  'known_device',
  'second_factor',
  'file_link',
  'unsubscribe',
  'code_source',
] as const

type SecretName = (typeof NAMES)[number]

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

/** A secret of the installation. It is the same in every process and never changes. */
export async function readSecret(db: Db, name: SecretName): Promise<string> {
  const found = await db.first(find, { name })
  if (found !== undefined) return found.value
  await db.all(insert, { name, value: randomWord(LENGTH) })
  return readSecret(db, name)
}

/** Kept in memory, because every bug that is read has a token made with it. */
export const keptUpdateTokenSecret: CataloguePart<string> = { read: (db) => readSecret(db, 'update_token') }
