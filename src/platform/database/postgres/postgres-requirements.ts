import { sql } from 'kysely'
import { WrongSetting } from '../../config/config.ts'
import type { Db } from '../db.ts'

/** The oldest release that is tested. */
const OLDEST_RELEASE = 15

/** What a database server says of itself. */
interface ServerFacts {
  readonly server_encoding: string
  /** As a number, such as 150012 for 15.12. */
  readonly server_version_num: string
}

/** Refuses a database that Lacewing cannot use. `name` is its address without the password. */
export async function requireSupportedPostgres(db: Db, name: string) {
  if (db.dialect.engine === 'sqlite') return
  const [facts] = await db.query((q) => ({
    compile: () =>
      sql<ServerFacts>`select current_setting('server_encoding') as server_encoding,
        current_setting('server_version_num') as server_version_num`.compile(q),
  }))
  const refusal = facts === undefined ? undefined : refusalOfServer(facts)
  if (refusal !== undefined) throw new WrongSetting(`The database ${name} ${refusal}.`)
}

/** Why a server cannot be used, as the end of a sentence. Other encodings, such as SQL_ASCII, store texts that cannot be compared as Unicode. */
export function refusalOfServer({ server_encoding: encoding, server_version_num: version }: ServerFacts) {
  const release = Math.floor(Number(version) / 10_000)
  if (release < OLDEST_RELEASE)
    return `is on PostgreSQL ${release}, and Lacewing needs ${OLDEST_RELEASE} or newer: upgrade PostgreSQL first`
  if (encoding === 'UTF8') return undefined
  return (
    `has the encoding ${encoding}, and Lacewing needs UTF8: ` +
    'create another one with createdb --encoding=UTF8 --template=template0'
  )
}
