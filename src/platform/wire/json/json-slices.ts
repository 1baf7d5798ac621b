/** Answers of more characters are written in slices, and come without a digest. */
export const LONG_ANSWER = 1_000_000
/** About so many characters are written at once. */
const SLICE = 64 * 1024

/** Whether the JSON of a value has more than so many characters, roughly; it is not looked at longer than needed. */
export function isLongerThan(value: unknown, characters: number): boolean {
  return weightOf(value, characters) > characters
}

function weightOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return PLAIN
  if (Array.isArray(value)) return weightOfItems(value, most)
  const items = Object.values(value)
  return NAME * items.length + weightOfItems(items, most)
}

function weightOfItems(items: readonly unknown[], most: number): number {
  let weight = 2
  for (let at = 0; at < items.length && weight <= most; at++) {
    const item = items[at]
    weight += typeof item === 'string' ? item.length + 2 : weightOf(item, most)
  }
  return weight
}

/** A number, true, false or null. */
const PLAIN = 5
/** The name of a property: `for … in` and `Object.keys` take several times as long as the values alone. */
const NAME = 16

/** The JSON of a value in pieces of about equal length, whatever it is nested in. What JSON leaves out is left out. */
export function* jsonSlices(value: unknown): Generator<string> {
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length < SLICE) continue
    yield text
    text = ''
  }
  yield text
}

function* partsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || !isLongerThan(value, SLICE)) yield JSON.stringify(value) ?? 'null'
  else if (Array.isArray(value)) yield* partsOfList(value)
  else yield* partsOfObject(value as Record<string, unknown>)
}

function* partsOfList(list: readonly unknown[]): Generator<string> {
  let before = '['
  for (const item of list) {
    yield before
    yield* partsOf(item)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* partsOfObject(object: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{'
  for (const name of Object.keys(object)) {
    if (object[name] === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* partsOf(object[name])
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** A text in pieces, none of which ends within a character. */
export function* textSlices(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let end = from + SLICE
    if (isLeadSurrogate(text.charCodeAt(end - 1))) end++
    yield text.slice(from, end)
    from = end
  }
}

function isLeadSurrogate(code: number) {
  return code >= 0xd800 && code < 0xdc00
}
