import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import { randomWord } from '../platform/secrets.ts'

const find = statement<{ name: string }>()((q, p) =>
  q.selectFrom('installation_secrets').select('value').where('name', '=', p.name),
)
const insert = statement<{ name: string; value: string }>()((q, p) =>
  q
    .insertInto('installation_secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
)

const LENGTH = 43

/** A secret of the installation, by what it is for. It is made when it is first needed, and the same in every process. */
export async function installationSecret(db: Db, name: string): Promise<string> {
  const found = await db.first(find, { name })
  if (found !== undefined) return found.value
  await db.all(insert, { name, value: randomWord(LENGTH) })
  return installationSecret(db, name)
}
