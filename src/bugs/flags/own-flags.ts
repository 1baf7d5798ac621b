import type { Db } from '../../platform/database/db.ts'
import { type FlagHolder, readFlagsOf } from './existing-flag-store.ts'
import { findFlag } from './find-flag.ts'
import type { WantedFlag } from './flag.ts'

/**
 * Whether the user is setter or requestee of all requested flags. Such flags may be changed even by a user who may not change the bug
 * or attachment.
 */
export async function areOwnFlags(
  tx: Db,
  userId: number,
  holder: FlagHolder,
  wanted: readonly WantedFlag[],
): Promise<boolean> {
  if (wanted.length === 0) return false
  const { existing, types } = (await readFlagsOf(tx, [holder]))(holder)
  return wanted.every((want) => {
    const { before } = findFlag(types, existing, want)
    return before !== undefined && (before.setterId === userId || before.requestee?.id === userId)
  })
}
