// The order of what matches a typed text, for every list that one types into.

/** Where a text matches: exact, at its beginning, somewhere, not at all. */
const NO_MATCH = 3

/**
 * The items that match the text: exact matches first, then those that begin with it, then those that contain it. `textsOf` names each
 * item, its most important text first. Items that match alike keep their order.
 */
export function matching<Item>(
  items: readonly Item[],
  text: string,
  textsOf: (item: Item) => readonly (string | undefined)[],
): readonly Item[] {
  const typed = folded(text)
  if (typed === '') return items
  const ranked = items.map((item) => ({ item, rank: rankOf(textsOf(item), typed) }))
  return ranked
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

/** The same for what a server has found, which may match in ways of its own: what does not match here comes last. */
export function bestFirst<Item>(
  items: readonly Item[],
  text: string,
  textsOf: (item: Item) => readonly (string | undefined)[],
): readonly Item[] {
  return [...new Set([...matching(items, text, textsOf), ...items])]
}

/** A text that is less important comes after all that match alike in a more important one. */
function rankOf(texts: readonly (string | undefined)[], typed: string): number {
  const ranks = texts.map((text, place) => matchOf(folded(text ?? ''), typed) + place / (texts.length + 1))
  return Math.min(NO_MATCH, ...ranks)
}

function matchOf(text: string, typed: string): number {
  if (text === typed) return 0
  if (text.startsWith(typed)) return 1
  return text.includes(typed) ? 2 : NO_MATCH
}

function folded(text: string) {
  return text.trim().toLowerCase()
}
