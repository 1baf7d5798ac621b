import { describe, it } from 'node:test'
import type { Engine } from './copy-database.ts'

/** `npm run soak -- matrices` makes every combination; `npm test` makes some of each kind. */
export const isEveryCombination = process.env.LACEWING_TEST_EVERY_COMBINATION === '1'

/**
 * A long test whose parts other tests show one by one, or one more case of what another test shows. Only `npm run soak -- matrices` runs it.
 */
export function itInSoak(title: string, work: () => void | Promise<void>) {
  if (isEveryCombination) it(title, work)
}

/**
 * Within `describeOnEachEngine`: what happens when transactions meet. On PostgreSQL more of them can meet than on SQLite, which has one writer, so
 * SQLite gets it only in the soak.
 */
export function itOnPostgres({ engine }: { engine: Engine }, title: string, work: () => void | Promise<void>) {
  if (engine === 'postgres' || isEveryCombination) it(title, work)
}

/** `itInSoak` for several tests. */
export function describeInSoak(title: string, tests: () => void) {
  if (isEveryCombination) describe(title, tests)
}

/** Every `step`-th item, beginning with one that differs from `offset` to `offset`, so that a table has each column and each row. */
export function sampled<Item>(items: readonly Item[], step: number, offset = 0): Item[] {
  if (isEveryCombination) return [...items]
  return items.filter((_, index) => (index + offset) % step === 0)
}

/** The same for a suite that runs on both engines: each gets other items, so that together they have twice as many. */
export function sampledOn<Item>(engine: Engine, items: readonly Item[], step: number, offset = 0): Item[] {
  return sampled(items, step, offset + (engine === 'postgres' ? Math.floor(step / 2) : 0))
}

/** A table of what code decides that is the same on both engines: SQLite gets every row, and PostgreSQL every `step`-th. */
export function sampledOnPostgres<Item>(engine: Engine, items: readonly Item[], step: number): Item[] {
  return engine === 'postgres' ? sampled(items, step) : [...items]
}

/** How many random cases a test makes: ten times as many in the soak. */
export function randomCases(count: number): number {
  return isEveryCombination ? count * 10 : count
}
