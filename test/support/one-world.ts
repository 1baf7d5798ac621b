import { after, before, describe } from 'node:test'
import { onlyPositions, World } from './world.ts'

/** `describeOnEachEngine` for suites of one file that do not disturb each other: they have one world on each engine together. */
export function inOneWorld() {
  const engines = (['sqlite', 'postgres'] as const).map((engine) => ({
    world: new World(engine, {}, onlyPositions),
    suites: 0,
    ended: 0,
  }))
  return (title: string, tests: (world: World) => void) => {
    for (const shared of engines) {
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
}
