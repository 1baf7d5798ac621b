import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { mailboxKey } from './mailbox.ts'

const MOST_LOOKED_AT = 200

// The characters + and , follow each other, so that all logins between these begin with `local+`.
const similar = statement<{ key: string; from: string; to: string }>()((q, p) =>
  q
    .selectFrom('users')
    .select(['id', 'login', 'disabled_text'])
    .where((user) =>
      user.or([
        user('login_key', '=', p.key),
        user.and([user('login_key', '>=', p.from), user('login_key', '<', p.to)]),
      ]),
    )
    .orderBy('id')
    .limit(MOST_LOOKED_AT),
)

/** An account whose login name leads to the same mailbox. */
export async function findAccountOfMailbox(db: Db, login: string) {
  const key = mailboxKey(login)
  const local = key.slice(0, key.lastIndexOf('@'))
  const rows = await db.all(similar, { key, from: `${local}+`, to: `${local},` })
  return rows.find((row) => mailboxKey(row.login) === key)
}
