import type { Place } from '../changes/use-place.ts'
import { orderOf } from './field-state.ts'

interface Row {
  name: string
  sort_key: number
  path: string
}

interface Options {
  key: string
  title: string
  /** When its calls are made, among all that are saved together. */
  order: number
  saved: readonly Row[]
  next: readonly Row[]
}

const STEP = 10
const GREATEST_SORT_KEY = 32_767

/** Notes a new order. Only rows whose sort key has to change are sent. */
export function changeOrder<State>(place: Place<State>, { key, title, order, saved, next }: Options) {
  const calls: { method: 'PUT'; path: string; params: { sort_key: number } }[] = []
  let last = -1
  for (const [index, row] of next.entries()) {
    const most = GREATEST_SORT_KEY - (next.length - 1 - index)
    const sort_key = row.sort_key > last && row.sort_key <= most ? row.sort_key : Math.min(last + STEP, most)
    if (sort_key !== row.sort_key) calls.push({ method: 'PUT', path: row.path, params: { sort_key } })
    last = sort_key
  }
  const [call, ...more] = calls
  if (call === undefined) return place.draft.drop(key)
  const [before, after] = [saved, next].map((rows) => orderOf(rows.map(({ name }) => name)))
  place.change({ key, title, before: before ?? '', after: after ?? '', call, more, order })
}
