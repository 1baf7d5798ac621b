import { changeOrder } from './change-order.ts'
import { type FieldProps, ORDER } from './field-details.tsx'
import { type NamedValue, ownValues, valueKey, valueOrderKey, yesNo } from './field-state.ts'
import { newValuesIn, orderedValues, pathOf, shownWithNow, valuePathOf } from './fields-now.ts'

/** The values of a field with the changes of the draft, and what changes them. */
export function changesOfFieldValues({ place, field }: Omit<FieldProps, 'state'>) {
  const { draft } = place
  const rows = orderedValues(field, draft)
  const change = (value: NamedValue, part: string) => draft.get(valueKey(field, value.name, part))
  const put = (
    value: NamedValue,
    part: 'name' | 'is_active' | 'shown_with',
    title: string,
    before: string,
    after: string,
    params: object,
  ) =>
    place.change({
      key: valueKey(field, value.name, part),
      title,
      before,
      after,
      order: ORDER.value,
      call: { method: 'PUT', path: valuePathOf(field, value.name), params: { ...params } },
    })
  const rowOf = ({ name, sort_key }: NamedValue) => ({ name, sort_key, path: valuePathOf(field, name) })
  return {
    rows,
    added: newValuesIn(field, draft),
    orderChange: draft.get(valueOrderKey(field)),
    renamed: (value: NamedValue) => change(value, 'name'),
    removed: (value: NamedValue) => change(value, ''),
    shownWith: (value: NamedValue) => shownWithNow(field, value, draft),
    nameOf: (value: NamedValue) => change(value, 'name')?.after ?? value.name,
    isActive: (value: NamedValue) => (change(value, 'is_active')?.after ?? yesNo(value.is_active)) === 'yes',
    isChanged: (value: NamedValue) =>
      ['', 'name', 'is_active', 'shown_with'].some((part) => change(value, part) !== undefined),
    order(names: readonly string[]) {
      const byName = new Map(rows.map((value) => [value.name, rowOf(value)]))
      changeOrder(place, {
        key: valueOrderKey(field),
        title: `order of ${field.display_name}`,
        order: ORDER.value,
        saved: ownValues(field).map(rowOf),
        next: names.flatMap((name) => byName.get(name) ?? []),
      })
    },
    add(name: string, params: object) {
      place.change({
        key: `value ${field.name} new\n${name}`,
        title: `new value ${name} of ${field.display_name}`,
        before: '',
        after: name,
        order: ORDER.newValue,
        call: { method: 'POST', path: `${pathOf(field)}/values`, params: { name, ...params } },
      })
    },
    rename(value: NamedValue, after: string) {
      put(value, 'name', `name of ${value.name}`, value.name, after, { name: after })
    },
    setActive(value: NamedValue, is_active: boolean) {
      put(value, 'is_active', `whether ${value.name} can be chosen`, yesNo(value.is_active), yesNo(is_active), {
        is_active,
      })
    },
    setShownWith(value: NamedValue, after: string) {
      const before = (value.visibility_values ?? []).join(', ')
      put(value, 'shown_with', `when ${value.name} is offered`, before, after, {
        visibility_values: after === '' ? [] : [after],
      })
    },
    /** With `into`, its bugs get another value. Without, and if it is to be deleted already, it is kept. */
    remove(value: NamedValue, into?: string) {
      const key = valueKey(field, value.name)
      if (into === undefined && draft.get(key) !== undefined) return draft.drop(key)
      draft.drop(...['name', 'is_active', 'shown_with'].map((part) => valueKey(field, value.name, part)))
      place.change({
        key,
        title: `${field.display_name} ${value.name}`,
        before: value.name,
        after: into === undefined ? '' : `merged into ${into}`,
        isFinal: true,
        call: {
          method: 'DELETE',
          path: valuePathOf(field, value.name),
          params: into === undefined ? {} : { replace_with: into, in_steps: true },
        },
      })
    },
  }
}
