import { sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { insertEncodedWords, insertValues } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { PreparedPart } from './prepared-part.ts'

const recordContents = statement<{ digests: string; at: string }>()((q, p, d) =>
  q
    .insertInto('stored_contents')
    .columns(['key', 'digest', 'stored_at'])
    .expression(
      sql`select digest, digest, cast(${p.at} as text) from ${d.recordsIn(p.digests, { digest: 'text' })} as given where 1 = 1`,
    )
    .onConflict((conflict) => conflict.column('key').doNothing()),
)

/** Writes bugs with everything that belongs to them, and the words that they are found by. */
export async function writePart(tx: Db, part: Pick<PreparedPart, 'tables' | 'words' | 'digests'>, at: string) {
  for (const { table, columns, values } of part.tables) await insertValues(tx, table, columns, values)
  await insertEncodedWords(tx, 'bug_words', part.words.bug_words)
  await insertEncodedWords(tx, 'private_words', part.words.private_words)
  if (part.digests.length === 0) return
  await tx.all(recordContents, { digests: JSON.stringify(part.digests.map((digest) => ({ digest }))), at })
}
