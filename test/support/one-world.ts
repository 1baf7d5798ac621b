import { after, before, describe } from 'node:test'
import { isEveryCombination } from './sample.ts'
import { onlyPositions, World } from './world.ts'

/**
 * `describeOnEachEngine` for suites of one file that do not disturb each other: they have one world on each engine together. `onOneEngine` is
 * `describeOnOneEngine` in the same world.
 */
export function inOneWorld() {
  const engines = (['sqlite', 'postgres'] as const).map((engine) => ({
    world: new World(engine, {}, onlyPositions),
    suites: 0,
    ended: 0,
  }))
  const describeOn = (title: string, tests: (world: World) => void, chosen: typeof engines) => {
    for (const shared of chosen) {
      shared.suites++
      describe(`${title} (${shared.world.engine})`, () => {
        before(async () => {
          if (shared.world.url === '') await shared.world.open()
        })
        after(async () => {
          if (++shared.ended === shared.suites) await shared.world.close()
        })
        tests(shared.world)
      })
    }
  }
  const onEachEngine = (title: string, tests: (world: World) => void) => describeOn(title, tests, engines)
  const onOneEngine = (title: string, tests: (world: World) => void) =>
    describeOn(title, tests, isEveryCombination ? engines : engines.slice(0, 1))
  return Object.assign(onEachEngine, { onOneEngine })
}
