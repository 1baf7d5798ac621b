/** How long the data of one answer may be, in characters of JSON: some thousand tokens of a model. */
const MOST_CHARACTERS = 20_000
const LONGEST_TEXT = 2_000
const MOST_ITEMS = 60
const MOST_DEPTH = 8

/** Data that is short enough for a model, and shown as it is. */
export interface ClippedData {
  data: unknown
  isCut: boolean
}

interface Limits {
  /** The longest text. Texts that the tool has already made short are not cut again. */
  text?: number
}

/** The same data with long texts and lists cut, until all of it is short enough, and without characters that people cannot see. */
export function clippedData(data: unknown, { text = LONGEST_TEXT }: Limits = {}): ClippedData {
  let left = MOST_CHARACTERS
  let isCut = false
  const cut = <Value>(value: Value) => {
    isCut = true
    return value
  }
  const clip = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const most = Math.max(0, Math.min(text, left))
      const shown = visible(value.length > most ? cut(`${wholeCharacters(value, most)}…`) : value)
      // Quotes and line ends take two characters.
      left -= JSON.stringify(shown).length
      return shown
    }
    if (typeof value !== 'object' || value === null) {
      left -= 6
      return value
    }
    if (depth > MOST_DEPTH) return cut(null)
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) {
        if (left <= 0 || items.length >= MOST_ITEMS) return cut(items)
        items.push(clip(item, depth + 1))
      }
      return items
    }
    const parts: [string, unknown][] = []
    for (const [name, part] of Object.entries(value)) {
      if (left <= 0) return cut(Object.fromEntries(parts))
      left -= name.length + 4
      parts.push([visible(name), clip(part, depth + 1)])
    }
    return Object.fromEntries(parts)
  }
  const clipped = clip(data, 0)
  return { data: clipped, isCut }
}

/** Not half of a surrogate pair. */
function wholeCharacters(text: string, most: number) {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}

/**
 * Replaces characters that people do not see and models read: tags, which can spell whole sentences, turns of the direction of text, and other
 * marks without a glyph. What scripts need to be written (joiners, variation selectors of emoji) stays, but not so many in a row that they can
 * spell something.
 */
export function visible(text: string): string {
  return INVISIBLE.test(text) ? text.replaceAll(EVERY_INVISIBLE, '\ufffd') : text
}

const CHARACTERS =
  '[\\u{e0000}-\\u{e0fff}\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u200e\\u200f\\u061c\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb\\u00ad\\u034f\\u17b4\\u17b5\\ufe00-\\ufe0d\\u{1d173}-\\u{1d17a}\\u180e\\u115f\\u1160\\u3164\\uffa0\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]|[\\u200c\\u200d\\ufe0e\\ufe0f]{3,}'
const INVISIBLE = new RegExp(CHARACTERS, 'u')
const EVERY_INVISIBLE = new RegExp(CHARACTERS, 'gu')
