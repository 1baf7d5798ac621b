import { errors } from '../../platform/errors.ts'
import { requireStorable } from '../../platform/wire/merge-params.ts'
import type { Search } from '../parsing/query.ts'
import type { SortPosition } from './list-ids.ts'

/** The cursor with which a client requests the bugs after a position. */
export function cursorFor(search: Search, position: SortPosition): string {
  return Buffer.from(JSON.stringify([orderOf(search), ...position])).toString('base64url')
}

/** The position in a cursor. The cursor must come from a search with the same order. */
export function positionIn(cursor: string, search: Search): SortPosition {
  const [order, ...position] = listIn(cursor)
  if (order !== orderOf(search)) throw wrong(cursor, 'it must come from a search with the same order')
  return position
}

function orderOf({ order }: Search): string {
  return order.map(({ column, descending }) => `${column}${descending ? ' DESC' : ''}`).join()
}

function listIn(cursor: string): (string | number)[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    requireStorable('cursor', list)
    if (Array.isArray(list) && list.every((it) => typeof it === 'string' || Number.isSafeInteger(it))) return list
  } catch {
    // Anything that cannot be parsed is not a cursor.
  }
  throw wrong(cursor, 'it must be the next_cursor of an earlier answer')
}

function wrong(value: string, right: string) {
  return errors.bad_value({ name: 'cursor', value, right })
}
