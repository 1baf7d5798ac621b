/** A run of words that is in both texts, or only in one. */
export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** More comparisons than these would make the page wait: then the whole text is removed and added. */
const MOST_COMPARISONS = 4_000_000

/** What changed between two texts, by words and spaces. */
export function diffOf(before: string, after: string): DiffPart[] {
  const one = wordsIn(before)
  const other = wordsIn(after)
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  const shortest = Math.min(one.length, other.length) - start
  while (end < shortest && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  const parts: DiffPart[] = []
  add(parts, 'same', one.slice(0, start))
  middle(parts, one.slice(start, one.length - end), other.slice(start, other.length - end))
  add(parts, 'same', one.slice(one.length - end))
  return parts
}

function wordsIn(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? []
}

/** The longest common sequence of words. */
function middle(parts: DiffPart[], one: readonly string[], other: readonly string[]) {
  if (one.length * other.length > MOST_COMPARISONS || one.length === 0 || other.length === 0) {
    add(parts, 'removed', one)
    add(parts, 'added', other)
    return
  }
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add(parts, 'same', [one[i] ?? ''])
      i++
      j++
    } else if (j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1)))
      add(parts, 'removed', [one[i++] ?? ''])
    else add(parts, 'added', [other[j++] ?? ''])
  }
}

function add(parts: DiffPart[], kind: DiffPart['kind'], words: readonly string[]) {
  if (words.length === 0) return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += words.join('')
  else parts.push({ kind, text: words.join('') })
}
