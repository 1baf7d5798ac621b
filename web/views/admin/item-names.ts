import { signal } from '@preact/signals'

/** What the objects whose addresses have a number or a technical name are called, by the part of the administration and the item. */
const names = signal<ReadonlyMap<string, string>>(new Map())

/** For the heading and the title of the page, which are drawn before the object is read. */
export function nameOfItem(part: string, item: string | undefined) {
  return item === undefined ? undefined : (names.value.get(`${part}/${item}`) ?? item)
}

export function noteItemName(part: string, item: string, name: string) {
  const key = `${part}/${item}`
  if (names.value.get(key) !== name) names.value = new Map([...names.value, [key, name]])
}
