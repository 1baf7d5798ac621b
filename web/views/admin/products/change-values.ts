import type { Place } from '../changes/use-place.ts'
import { type OrderedValue, orderOf, type ProductState, type ValueKind, yesNo } from './product-state.ts'

/** Sort keys have gaps, so that a value can be put between two others by hand. */
const STEP = 10
/** The product is changed after its versions and milestones: one of them may become its default. */
const AFTER_VALUES = 1

/** The versions or milestones of a product with the changes of the draft, and what changes them. */
export function changesOfValues(place: Place<ProductState>, state: ProductState, kind: ValueKind) {
  const { draft } = place
  const { product } = state
  const saved = product[`${kind}s`]
  const pathOf = ({ name }: OrderedValue) => `/rest/product/${product.id}/${kind}/${encodeURIComponent(name)}`
  const keyOf = ({ id }: OrderedValue, part?: string) =>
    part === undefined ? `${kind} ${id}` : `${kind} ${id} ${part}`
  const orderChange = draft.get(`${kind} order`)
  const sortKeys = new Map(
    [orderChange?.call, ...(orderChange?.more ?? [])].flatMap((call) =>
      call === undefined ? [] : [[call.path, Number(call.params?.sort_key)] as const],
    ),
  )
  const sortKey = (row: OrderedValue) => sortKeys.get(pathOf(row)) ?? 0
  const rows = orderChange === undefined ? saved : [...saved].sort((a, b) => sortKey(a) - sortKey(b))
  const field = kind === 'version' ? 'default_version' : 'default_milestone'
  const defaultName = draft.valueOf(`product ${field}`, product[field] ?? '')
  const isActive = (row: OrderedValue) => draft.valueOf(keyOf(row, 'is_active'), yesNo(row.is_active)) === 'yes'
  const removed = (row: OrderedValue) => draft.get(keyOf(row))
  const renamed = (row: OrderedValue) => draft.get(keyOf(row, 'name'))
  const isDefault = ({ name }: OrderedValue) => name === defaultName
  return {
    rows,
    orderChange,
    added: draft.changes.value.filter(({ key }) => key.startsWith(`${kind} new `)),
    isActive,
    isDefault,
    removed,
    renamed,
    nameOf: (row: OrderedValue) => renamed(row)?.after ?? row.name,
    isChanged: (row: OrderedValue) =>
      [undefined, 'name', 'is_active'].some((part) => draft.get(keyOf(row, part)) !== undefined),
    notes: (row: OrderedValue) =>
      [isDefault(row) && 'new bugs get this', !isActive(row) && 'closed for new bugs'].filter(Boolean).join(', '),
    order(ids: readonly number[]) {
      const byId = new Map(saved.map((row) => [row.id, row]))
      const next = ids.flatMap((id) => byId.get(id) ?? [])
      const [call, ...more] = next.map((row, index) => ({
        method: 'PUT' as const,
        path: pathOf(row),
        params: { sort_key: (index + 1) * STEP },
      }))
      if (call === undefined) return
      place.change({
        key: `${kind} order`,
        title: `order of ${kind}s`,
        before: orderOf(saved),
        after: orderOf(next),
        call,
        more,
      })
    },
    add(name: string) {
      const sort_key =
        orderChange === undefined ? Math.max(0, ...saved.map((it) => it.sort_key)) : (saved.length + 1) * STEP
      place.change({
        key: `${kind} new ${name}`,
        title: `new ${kind} ${name}`,
        before: '',
        after: name,
        call: { method: 'POST', path: `/rest/product/${product.id}/${kind}`, params: { name, sort_key } },
      })
    },
    rename(row: OrderedValue, after: string) {
      const call = { method: 'PUT' as const, path: pathOf(row), params: { name: after } }
      place.change({ key: keyOf(row, 'name'), title: `name of ${kind} ${row.name}`, before: row.name, after, call })
    },
    setActive(row: OrderedValue, is_active: boolean) {
      place.change({
        key: keyOf(row, 'is_active'),
        title: `whether new bugs can have ${row.name}`,
        before: yesNo(row.is_active),
        after: yesNo(is_active),
        call: { method: 'PUT', path: pathOf(row), params: { is_active } },
      })
    },
    makeDefault(row: OrderedValue) {
      const name = renamed(row)?.after ?? row.name
      place.change({
        key: `product ${field}`,
        title: `${kind} of new bugs`,
        before: product[field] ?? '',
        after: name,
        order: AFTER_VALUES,
        call: { method: 'PUT', path: `/rest/product/${product.id}`, params: { [field]: name } },
      })
    },
    remove(row: OrderedValue) {
      if (removed(row) !== undefined) return draft.drop(keyOf(row))
      const params = kind === 'milestone' ? { in_steps: true } : {}
      const call = { method: 'DELETE' as const, path: pathOf(row), params }
      draft.drop(keyOf(row, 'name'), keyOf(row, 'is_active'))
      place.change({ key: keyOf(row), title: `${kind} ${row.name}`, before: row.name, after: '', isFinal: true, call })
    },
  }
}
