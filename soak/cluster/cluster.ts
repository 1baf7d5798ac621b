import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../src/access/installation.ts'
import { insertApiKey } from '../../src/people/api-keys/api-key-store.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { cheapHashOf } from '../../test/support/password-cost.ts'
import { ClusterCaller } from './caller.ts'
import { wrongIn } from './check-cluster.ts'
import { ClusterLedger } from './cluster-ledger.ts'
import { HiddenComment } from './hidden-comment.ts'
import { RealCluster, waitFor } from './real-cluster.ts'

const CALLERS = 8
const USUAL_STEPS = 1_000_000
const FROZEN_MILLISECONDS = 6000
/** How long a killed node stays away. */
const AWAY_MILLISECONDS = 5000

/**
 * Random steps of several callers on a real cluster, in which the primary is killed again and again. Nobody may read older than what was
 * acknowledged, and nothing acknowledged may be lost or exist twice. LACEWING_TEST_STEPS says how many steps.
 */
export async function soakCluster(kills: number): Promise<boolean> {
  const steps = Number(process.env.LACEWING_TEST_STEPS ?? USUAL_STEPS)
  let cluster: RealCluster
  try {
    cluster = await RealCluster.start()
  } catch (fault) {
    console.log((fault as Error).message)
    return false
  }
  const ledger = new ClusterLedger()
  const seconds: number[] = []
  const began = performance.now()
  try {
    const keys = await makeKeys(cluster)
    const callers = keys.map((key) => new ClusterCaller(cluster.webPort, key, ledger))
    let isOver = false
    let areKillsDone = false
    const hiding = new HiddenComment(cluster.webPort, keys[0] ?? '', ledger).run(() => isOver)
    const running = callers.map(async (caller) => {
      while (ledger.steps < steps || !areKillsDone) await caller.step()
    })
    for (let kill = 1; kill <= kills; kill++) {
      while (ledger.steps < (steps * kill) / (kills + 1)) await sleep(50)
      const longest = await freezeStandby(cluster, ledger)
      const how = kill % 2 === 1 ? 'node' : 'postgres'
      const until = await killPrimary(cluster, ledger, how)
      if (until === undefined) break
      seconds.push(until)
      console.log(
        `cluster: kill ${kill} of ${kills} (${how === 'node' ? 'PostgreSQL and Patroni' : 'only PostgreSQL'}): ` +
          `${until.toFixed(1)} s until the next acknowledged write, ${ledger.steps} steps; ` +
          `before it a standby was frozen: ${longest === undefined ? 'none was asynchronous' : `the longest read took ${longest.toFixed(1)} s`}`,
      )
    }
    areKillsDone = true
    await Promise.all(running)
    isOver = true
    await hiding
    const onStandbys = await cluster.readsOnStandbys()
    const { lost, twice } = await wrongIn(cluster.primaryUrl, ledger)
    for (const wrong of [...ledger.old, ...lost, ...twice, ...ledger.failures].slice(0, 20)) console.log(`  ${wrong}`)
    console.log(
      `cluster: ${ledger.steps} steps of ${CALLERS} callers in ${((performance.now() - began) / 1000).toFixed(0)} s, ` +
        `${seconds.length} kills, ${ledger.writes} acknowledged writes, ${onStandbys} statements on standbys; ` +
        `${ledger.rightsChecked} reads of a comment that is made private again and again; ` +
        `${ledger.old.length} old reads, ${lost.length} lost, ${twice.length} twice, ${ledger.failures.length} failures; ` +
        `${ledger.unavailable} times 503, ${ledger.unanswered} unanswered, ${ledger.repeated} sent again; ` +
        `seconds until service: ${seconds.map((it) => it.toFixed(1)).join(', ') || 'no kill'}`,
    )
    return ledger.old.length + lost.length + twice.length + ledger.failures.length === 0 && seconds.length === kills
  } finally {
    await cluster.stop()
  }
}

/** Freezes a standby that no commit waits for, and returns how many seconds the longest read took meanwhile. */
async function freezeStandby(cluster: RealCluster, ledger: ClusterLedger): Promise<number | undefined> {
  await cluster.waitUntilWhole()
  const roles = await Promise.all(cluster.nodes.map((node) => node.isAsynchronous()))
  const standby = cluster.nodes.find((_, index) => roles[index])
  if (standby === undefined) return undefined
  ledger.longestRead = 0
  standby.freezePostgres()
  await sleep(FROZEN_MILLISECONDS)
  standby.thawPostgres()
  return ledger.longestRead / 1000
}

/** The seconds until a write is acknowledged that was sent after the kill. */
async function killPrimary(cluster: RealCluster, ledger: ClusterLedger, how: 'node' | 'postgres') {
  await cluster.waitUntilWhole()
  const primary = await cluster.primary()
  if (primary === undefined) return undefined
  const killed = performance.now()
  if (how === 'node') primary.kill()
  else primary.killPostgres()
  const other = waitFor('another primary', async () => {
    const next = await cluster.primary()
    return next !== undefined && (how === 'postgres' || next !== primary)
  })
  // A response may be on its way already.
  await sleep(300)
  await ledger.nextWrite()
  const seconds = (performance.now() - killed) / 1000
  await other
  if (how === 'node') {
    await sleep(AWAY_MILLISECONDS)
    primary.start()
  }
  return seconds
}

async function makeKeys(cluster: RealCluster): Promise<string[]> {
  const db = openDatabase(cluster.primaryUrl)
  const settings = await readSettings(db)
  const keys: string[] = []
  for (let number = 1; number <= CALLERS; number++) {
    const account = {
      email: `caller${number}@soak.test`,
      fullName: `Caller ${number}`,
      passwordHash: cheapHashOf('soak'),
    }
    const userId = await createUser(db, settings, 1, account)
    const secret = `cluster-soak-key-of-caller-${number}-0000000000`
    await insertApiKey(db, { userId, secret, description: 'soak', scopes: 'read,write,admin', expiresAt: null })
    keys.push(secret)
  }
  await db.close()
  return keys
}
