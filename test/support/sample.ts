/** `npm run soak -- matrices` makes every combination; `npm test` makes some of each kind. */
export const isEveryCombination = process.env.LACEWING_TEST_EVERY_COMBINATION === '1'

/** Every `step`-th item, beginning with one that differs from `offset` to `offset`, so that a table has each column and each row. */
export function sampled<Item>(items: readonly Item[], step: number, offset = 0): Item[] {
  if (isEveryCombination) return [...items]
  return items.filter((_, index) => (index + offset) % step === 0)
}

/** How many random cases a test makes: ten times as many in the soak. */
export function randomCases(count: number): number {
  return isEveryCombination ? count * 10 : count
}
