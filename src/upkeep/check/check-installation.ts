import { contentsOf } from '../../moving/archive/export-archive.ts'
import { requireReadable } from '../../moving/archive/read-installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import { openSnapshot } from '../../platform/database/open-snapshot.ts'
import type { Progress } from '../../platform/progress.ts'
import { contentsOfAttachments } from './content-check.ts'
import { engineDamage } from './engine-check.ts'
import type { CheckContext, IntegrityCheck, IntegrityFault } from './integrity-check.ts'
import { foldedKeys } from './key-check.ts'
import {
  attachmentSizes,
  commentNumbers,
  lanesOfJobs,
  lists,
  looseReferences,
  nextIds,
  notedFactors,
  orphans,
  recordedContents,
  workTimes,
} from './row-checks.ts'
import { trigrams } from './trigram-check.ts'
import { words } from './word-check.ts'

/** In the order in which they are made and repaired: the search index depends on folded names. */
const CHECKS: readonly IntegrityCheck[] = [
  engineDamage,
  orphans,
  looseReferences,
  foldedKeys,
  lists,
  commentNumbers,
  attachmentSizes,
  workTimes,
  notedFactors,
  nextIds,
  lanesOfJobs,
  words,
  trigrams,
  recordedContents,
  contentsOfAttachments,
]

/** More are only counted. */
const MOST_SENTENCES = 20

export interface CheckResult {
  name: string
  count: number
  sentences: readonly string[]
  /** Whether it can be derived again. */
  isRepairable: boolean
  wasRepaired: boolean
}

export interface CheckOptions {
  repair: boolean
  withContents: boolean
}

/** Makes all checks at one moment. Repairs then derive from the rows as they are, in one transaction per check. */
export async function checkInstallation(
  db: Db,
  config: Config,
  { repair, withContents }: CheckOptions,
  progress: Progress,
): Promise<CheckResult[]> {
  const snapshot = await openSnapshot(config.databaseUrl)
  const found: { check: IntegrityCheck; faults: IntegrityFault[] }[] = []
  try {
    await requireReadable(snapshot)
    const context: CheckContext = {
      snapshot,
      dialect: db.dialect,
      contents: withContents ? await contentsOf(config) : undefined,
    }
    for (const check of CHECKS) {
      progress.begin(`Checking ${check.name}`)
      const faults: IntegrityFault[] = []
      for await (const fault of check.find(context)) faults.push(fault)
      progress.end()
      found.push({ check, faults })
    }
  } finally {
    await snapshot.close()
  }
  const results: CheckResult[] = []
  for (const { check, faults } of found) results.push(await resultOf(db, check, faults, repair))
  return results
}

async function resultOf(
  db: Db,
  check: IntegrityCheck,
  faults: IntegrityFault[],
  repair: boolean,
): Promise<CheckResult> {
  const wasRepaired = repair && check.repair !== undefined && faults.length > 0
  if (wasRepaired) await db.transaction(async (tx) => check.repair?.(tx, faults), 'migration')
  return {
    name: check.name,
    count: faults.length,
    sentences: faults.slice(0, MOST_SENTENCES).map(({ sentence }) => sentence),
    isRepairable: check.repair !== undefined,
    wasRepaired,
  }
}
