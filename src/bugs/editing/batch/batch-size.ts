import { errors } from '../../../platform/errors.ts'
import type { Batch } from './batch.ts'

/** Each item of a list is written for each bug, and all bugs stay locked until the last is written. */
export const MOST_ITEMS_WRITTEN = 5000

/** Refuses a change that would write too many rows. */
export function requireBatchWithinLimit(bugs: number, params: Batch['params']) {
  const { blocks, cc, depends_on, groups, keywords, see_also, flags = [] } = params
  const lists = [blocks, cc, depends_on, groups, keywords, see_also].flatMap((list) => list ?? [])
  const items = lists.reduce((sum, { add, remove, set = [] }) => sum + add.length + remove.length + set.length, 0)
  if (bugs * (items + flags.length) > MOST_ITEMS_WRITTEN) throw errors.batch_too_large({ most: MOST_ITEMS_WRITTEN })
}
