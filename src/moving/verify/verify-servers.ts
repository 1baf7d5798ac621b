import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type RestOptions, RestServer } from '../rest-client/rest-server.ts'
import { requireKeys, type VerifyContext } from './ask-both.ts'
import { listBugs, sampleOf } from './list-bugs.ts'
import { verifyBug } from './verify-bug.ts'
import { verifyCatalogue } from './verify-catalogue.ts'
import type { VerifyPerson } from './verify-people.ts'
import { VerifyTally } from './verify-tally.ts'
import { VisibleBugs } from './visible-bugs.ts'

export interface VerifyOptions {
  readonly old: string
  readonly new: string
  readonly people: readonly VerifyPerson[]
  /** How many bugs are compared; undefined for all. */
  readonly sample: number | undefined
  /** How many bugs are compared at the same time. */
  readonly concurrency: number
  /** Examples of each kind of difference. */
  readonly examples: number
  readonly rest: RestOptions
}

export interface VerifyResult {
  readonly old: { address: string; version: string }
  readonly new: { address: string; version: string }
  readonly people: readonly string[]
  readonly bugs: { found: number; compared: number }
  readonly tally: VerifyTally
  /** Why the comparison ended before everything was compared. */
  readonly brokenOff: string | undefined
}

/** Compares what two servers answer about everything, as several people. */
export async function verifyServers(options: VerifyOptions, progress: Progress): Promise<VerifyResult> {
  const [old, own] = [
    await RestServer.open(options.old, options.rest),
    await RestServer.open(options.new, options.rest),
  ]
  const tally = new VerifyTally(options.examples, isLacewing(old.version) && isLacewing(own.version))
  const visible = new VisibleBugs()
  const context: VerifyContext = { old, new: own, people: options.people, tally, visible, failures: 0 }
  await requireKeys(context)
  const bugs = { found: 0, compared: 0 }
  let brokenOff: string | undefined
  try {
    progress.begin('Comparing products, fields and users')
    await verifyCatalogue(context, options.sample)
    progress.begin('Listing bugs', undefined, 'bugs')
    const numbers = await listBugs(context, (found) => progress.advance(found))
    bugs.found = numbers.length
    const compared = sampleOf(numbers, options.sample)
    progress.begin('Comparing bugs', compared.length, 'bugs')
    await inParallel(compared, options.concurrency, async (id) => {
      await verifyBug(context, id)
      progress.advance(++bugs.compared)
    })
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    brokenOff = fault.message
  }
  progress.end()
  return {
    old: { address: options.old, version: old.version },
    new: { address: options.new, version: own.version },
    people: options.people.map(({ name }) => name),
    bugs,
    tally,
    brokenOff,
  }
}

/** The first failure ends all. */
async function inParallel(ids: readonly number[], concurrency: number, work: (id: number) => Promise<void>) {
  let [next, isEnded] = [0, false]
  const worker = async () => {
    while (next < ids.length && !isEnded) {
      try {
        await work(ids[next++] as number)
      } catch (fault) {
        isEnded = true
        throw fault
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  const failed = results.find((it) => it.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Releases of Bugzilla are numbered 5, or by the date. */
function isLacewing(version: string) {
  return /^[6-9]\./.test(version)
}
