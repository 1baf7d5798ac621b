import { textsIn } from '../../../access/new-account.ts'
import { errors } from '../../../platform/errors.ts'
import type { Batch } from './batch.ts'

/** Each item of a list is written for each bug, and all bugs stay locked until the last is written. */
export const MOST_ITEMS_WRITTEN = 5000

/** Each text is written and indexed for each bug, which keeps other requests waiting. */
export const MOST_CHARACTERS_WRITTEN = 2_000_000

/** Refuses a change that would write too many rows, or too much text. */
export function requireBatchWithinLimit(bugs: number, { params, rawParams }: Pick<Batch, 'params' | 'rawParams'>) {
  const { blocks, cc, depends_on, groups, keywords, see_also, flags = [] } = params
  const lists = [blocks, cc, depends_on, groups, keywords, see_also].flatMap((list) => list ?? [])
  const items = lists.reduce((sum, { add, remove, set = [] }) => sum + add.length + remove.length + set.length, 0)
  if (bugs * (items + flags.length) > MOST_ITEMS_WRITTEN) throw errors.batch_too_large({ most: MOST_ITEMS_WRITTEN })
  if (bugs > 1 && bugs * charactersIn(rawParams) > MOST_CHARACTERS_WRITTEN)
    throw errors.batch_text_too_large({ most: MOST_CHARACTERS_WRITTEN })
}

function charactersIn({ ids, ...others }: Readonly<Record<string, unknown>>) {
  return textsIn(others).reduce((sum, { length }) => sum + length, 0)
}
