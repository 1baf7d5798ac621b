import { sql } from 'kysely'
import { ARCHIVED, archivedTable } from '../../moving/archive/archive-tables.ts'
import { columnsByTable } from '../../moving/archive/read-installation.ts'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import { quoted } from '../../platform/database/table-columns.ts'
import { fold } from '../../platform/text/fold.ts'
import type { IntegrityCheck, IntegrityFault } from './integrity-check.ts'

/** A fault with what the repair writes. */
interface WrongKey extends IntegrityFault {
  readonly table: string
  readonly column: string
  readonly right: string
  readonly row: SnapshotRow
}

/** Every column with the folded form of the name beside it. The key of a URL is made in another way. */
export const foldedKeys: IntegrityCheck = {
  name: 'folded names',
  async *find({ snapshot }): AsyncGenerator<WrongKey> {
    const columns = await columnsByTable(snapshot)
    for (const table of ARCHIVED)
      for (const column of columns.get(table) ?? [])
        if (column !== 'url' && columns.get(table)?.includes(`${column}_key`)) {
          const key = archivedTable(table)?.key ?? []
          const selected = key.map((name) => quoted(name)).join(', ')
          const select = `select ${selected}, ${quoted(column)} as plain, ${quoted(`${column}_key`)} as folded from ${quoted(table)}`
          for await (const rows of snapshot.rows(select))
            for (const { plain, folded, ...row } of rows) {
              const right = fold(String(plain))
              if (plain === null || folded === right) continue
              const subject = Object.values(row).join(' ')
              const sentence = `the ${column}_key of ${table} ${subject} does not fit its ${column}`
              yield { sentence, subject, table, column: `${column}_key`, right, row }
            }
        }
  },
  async repair(tx, faults) {
    for (const { table, column, right, row } of faults as readonly WrongKey[]) {
      const conditions = Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      await tx.query((q) => ({
        compile: () =>
          sql`update ${sql.table(table)} set ${sql.ref(column)} = ${right} where ${sql.join(conditions, sql` and `)}`.compile(
            q,
          ),
      }))
    }
  },
}
