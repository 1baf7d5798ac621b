import { describe as describeAlways, it as itAlways } from 'node:test'

export { after, afterEach, before, beforeEach, mock, run } from 'node:test'

/** Whether a test of the file has failed. */
export const progress = { hasFailed: false }

const isOnlySqlite = process.env.LACEWING_MUTANT_ENGINES === 'sqlite'

/** The first failure catches the mutant; the tests after it only have to end. */
export const it = Object.assign((...given: unknown[]) => {
  const work = given.at(-1)
  if (typeof work !== 'function') return Reflect.apply(itAlways, undefined, given)
  const unlessFailed = async (context: unknown) => {
    if (progress.hasFailed) return
    try {
      await work(context)
    } catch (error) {
      progress.hasFailed = true
      throw error
    }
  }
  return Reflect.apply(itAlways, undefined, [...given.slice(0, -1), unlessFailed])
}, itAlways)

/** See world.ts for the titles. */
export const describe = Object.assign(
  (...given: unknown[]) =>
    isOnlySqlite && String(given[0]).endsWith('(postgres)')
      ? undefined
      : Reflect.apply(describeAlways, undefined, given),
  describeAlways,
)
