import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { domainsOf, mailboxKey } from './mailbox.ts'

const MOST_LOOKED_AT = 200

interface Spellings {
  first: string
  afterFirst: string
  plain: string
  tagged: string
}

// Spellings of one mailbox differ in dots, in a tag and in the domain, but begin with the same character.
const similar = statement<Spellings>()((q, p) =>
  q
    .selectFrom('users')
    .select(['id', 'login', 'disabled_text'])
    .where('login_key', '>=', p.first)
    .where('login_key', '<', p.afterFirst)
    .where((user) => {
      const withoutDots = sql<string>`replace(login_key, '.', '')`
      return user.or([
        sql<boolean>`${withoutDots} like ${p.plain} escape '\\'`,
        sql<boolean>`${withoutDots} like ${p.tagged} escape '\\'`,
      ])
    })
    .orderBy('id')
    .limit(MOST_LOOKED_AT),
)

/** An account whose login name leads to the same mailbox. */
export async function findAccountOfMailbox(db: Db, login: string) {
  const key = mailboxKey(login)
  const [local = '', domain] = key.split(/@(?=[^@]*$)/)
  const first = key.slice(0, 1)
  const afterFirst = String.fromCharCode(first.charCodeAt(0) + 1)
  for (const ending of domain === undefined ? [''] : domainsOf(domain).map((it) => `@${it}`)) {
    const [plain, tagged] = [literal(local + ending), `${literal(local)}+%${literal(ending)}`]
    const rows = await db.all(similar, { first, afterFirst, plain, tagged })
    const found = rows.find((row) => mailboxKey(row.login) === key)
    if (found !== undefined) return found
  }
  return undefined
}

/** For LIKE, and without dots. */
function literal(text: string) {
  return text.replaceAll('.', '').replace(/[\\%_]/g, (character) => `\\${character}`)
}
