/** Longer responses are written in slices, and have no ETag. */
export const LONG_ANSWER = 1_000_000
/** About this many characters are written at once. */
const SLICE = 64 * 1024

/** Whether the JSON of a value has more than about this many characters. Stops as soon as it knows. */
export function isLongerThan(value: unknown, characters: number): boolean {
  return weightOf(value, characters) > characters
}

/** About how many characters the JSON of a value has. More than the largest limit of a response is not counted. */
export function charactersOf(value: unknown): number {
  return weightOf(value, MOST_COUNTED)
}

const MOST_COUNTED = 256 * 1024 * 1024

function weightOf(value: unknown, most: number): number {
  return typeof value === 'object' && value !== null ? weightOfParts(value, most) : weightOfPlain(value)
}

/**
 * It calls itself only for lists and objects: a call for each value takes twice as long. Not `for … in`: V8 compiles a loop over objects of
 * many kinds again and again.
 */
function weightOfParts(whole: object, most: number): number {
  const isList = Array.isArray(whole)
  const parts: readonly unknown[] = isList ? whole : Object.values(whole)
  let weight = isList ? 2 : 2 + NAME * parts.length
  for (let at = 0; at < parts.length && weight <= most; at++) {
    const part = parts[at]
    weight += typeof part === 'object' && part !== null ? weightOfParts(part, most) : weightOfPlain(part)
  }
  return weight
}

function weightOfPlain(value: unknown): number {
  return typeof value === 'string' ? value.length + 2 : PLAIN
}

/** The length of a number, true, false or null. */
const PLAIN = 5
/** The assumed length of a property name. */
const NAME = 16

/**
 * The JSON of a value in pieces of about equal length, however it is nested. Like JSON.stringify, it leaves out
 * undefined.
 */
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

/** A text in pieces that do not split a character. */
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
