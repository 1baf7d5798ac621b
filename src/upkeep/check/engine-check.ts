import { allRows } from '../../platform/database/snapshot.ts'
import type { IntegrityCheck } from './integrity-check.ts'

/** What the engine itself finds. PostgreSQL has programs of its own for that (pg_amcheck). */
export const engineDamage: IntegrityCheck = {
  name: 'database file',
  async *find({ snapshot }) {
    if (snapshot.engine !== 'sqlite') return
    for (const { integrity_check: found } of await allRows(snapshot, 'pragma integrity_check'))
      if (found !== 'ok') yield { sentence: `SQLite reports: ${found}`, subject: String(found) }
  },
}
