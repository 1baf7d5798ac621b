import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'

/** The last guard of a deletion: what came to be used since the others looked is refused by the database, and told like them. */
export async function onForeignKeyViolation(tx: Db, what: string, remove: () => Promise<unknown>) {
  try {
    await remove()
  } catch (fault) {
    throw tx.dialect.isForeignKeyViolation(fault) ? errors.refused({ why: `${what} is still used` }) : fault
  }
}
