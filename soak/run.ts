import { soakAccountTimes } from './account-times.ts'
import { soakArchive } from './archive.ts'
import { soakCluster } from './cluster/cluster.ts'
import { soakDelivery } from './delivery.ts'
import { soakHostile } from './hostile.ts'
import { soakHostileInputs } from './hostile-inputs.ts'
import { soakImport } from './import.ts'
import { soakKills } from './kills.ts'
import { soakLarge } from './large/large.ts'
import { soakListeners } from './listeners.ts'
import { soakLoad } from './load.ts'
import { soakMatrices } from './matrices.ts'
import { soakMemory } from './memory.ts'
import { soakMutants } from './mutants/mutants.ts'
import { soakOneBug } from './one-bug.ts'
import { soakRestImport } from './rest-import.ts'
import { soakUpgrade } from './upgrade.ts'
import { soakWorld } from './world.ts'

/**
 * `npm run soak`: tests that take longer than `npm test` may. `npm run soak -- 20` kills twenty times instead of a
 * hundred (and makes two thousand changes instead of ten thousand for the delivery). Names after the number choose the
 * parts, such as `npm run soak -- 20 kills-sqlite memory`; a name without its engine means both, such as `npm run soak
 * -- hostile`.
 */
const PARTS: Readonly<Record<string, (kills: number) => Promise<boolean>>> = {
  'kills-sqlite': (kills) => soakKills('sqlite', kills),
  'kills-postgres': (kills) => soakKills('postgres', kills),
  'one-bug-sqlite': () => soakOneBug('sqlite'),
  'one-bug-postgres': () => soakOneBug('postgres'),
  delivery: (kills) => soakDelivery(kills * 100),
  'listeners-sqlite': () => soakListeners('sqlite'),
  'listeners-postgres': () => soakListeners('postgres'),
  cluster: (kills) => soakCluster(Math.round(kills / 10)),
  upgrade: () => soakUpgrade(),
  'large-sqlite': () => soakLarge('sqlite'),
  'large-postgres': () => soakLarge('postgres'),
  'load-sqlite': (kills) => soakLoad('sqlite', kills / 10),
  'load-postgres': (kills) => soakLoad('postgres', kills / 10),
  memory: () => soakMemory(),
  'hostile-sqlite': () => soakHostile('sqlite'),
  'hostile-postgres': () => soakHostile('postgres'),
  'hostile-inputs-sqlite': () => soakHostileInputs('sqlite'),
  'hostile-inputs-postgres': () => soakHostileInputs('postgres'),
  archive: (kills) => soakArchive(kills * 200),
  'account-times-sqlite': () => soakAccountTimes('sqlite'),
  'account-times-postgres': () => soakAccountTimes('postgres'),
  matrices: () => soakMatrices(),
  mutants: () => soakMutants(),
  'world-sqlite': () => soakWorld('sqlite'),
  'world-postgres': () => soakWorld('postgres'),
  import: (kills) => soakImport(kills * 2000),
  'rest-import': (kills) => soakRestImport(kills * 50),
}

const given = process.argv.slice(2)
const kills = given.map(Number).find((number) => number > 0) ?? 100
const named = given.filter((word) => Number.isNaN(Number(word)))
const isMeant = (part: string, word: string) => part === word || part.startsWith(`${word}-`)
const unknown = named.filter((word) => !Object.keys(PARTS).some((part) => isMeant(part, word)))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(' or ')}; the parts are ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}
let isGood = true
for (const [name, part] of Object.entries(PARTS)) {
  if (named.length > 0 && !named.some((word) => isMeant(name, word))) continue
  isGood = (await part(kills)) && isGood
}
process.exit(isGood ? 0 : 1)
