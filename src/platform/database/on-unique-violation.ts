import type { ApiError } from '../errors.ts'
import type { Db } from './db.ts'

/** Runs a write. If it violates a unique constraint, throws the error that `taken` makes instead of the error of the driver. */
export async function onUniqueViolation<Result>(
  tx: Db,
  taken: () => ApiError,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (fault) {
    throw tx.dialect.isUniqueViolation(fault) ? taken() : fault
  }
}
