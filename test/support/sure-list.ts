/**
 * A list whose items exist: a test that reads an item expects it, and fails if there is none. An intersection, because types of lists are
 * compared much faster than interfaces.
 */
export type SureList<Item> = SureItems<Item> & Item[]

interface SureItems<Item> {
  0: Item
  1: Item
  2: Item
  3: Item
  4: Item
  5: Item
  6: Item
  7: Item
  8: Item
  9: Item
  at(index: number): Item
  find<Found extends Item>(isIt: (item: Item, index: number) => item is Found): Found
  find(isIt: (item: Item, index: number) => unknown): Item
  findLast(isIt: (item: Item, index: number) => unknown): Item
  pop(): Item
  shift(): Item
  /** `Promise.all` knows only lists of the usual type. */
  map<Result>(work: (item: Item, index: number) => Promise<Result>): Promise<Result>[]
  map<Result>(work: (item: Item, index: number) => Result): SureList<Result>
  flatMap<Result>(work: (item: Item, index: number) => Result | readonly Result[]): SureList<Result>
  filter<Kept extends Item>(isKept: (item: Item, index: number) => item is Kept): SureList<Kept>
  filter(isKept: (item: Item, index: number) => unknown): SureList<Item>
  slice(start?: number, end?: number): SureList<Item>
  reverse(): SureList<Item>
  toReversed(): SureList<Item>
  sort(compare?: (one: Item, other: Item) => number): SureList<Item>
  toSorted(compare?: (one: Item, other: Item) => number): SureList<Item>
}
