import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'

/** Runs a deletion. If the database refuses it because other rows refer to the object, throws a readable error. */
export async function onForeignKeyViolation(tx: Db, what: string, remove: () => Promise<unknown>) {
  try {
    await remove()
  } catch (fault) {
    throw tx.dialect.isForeignKeyViolation(fault) ? errors.still_in_use({ subject: what }) : fault
  }
}
