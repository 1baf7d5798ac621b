import type { Contents } from '../../../platform/contents/contents.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { DeliveryOutcome } from '../incoming/code-delivery-store.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { applyChange, applyChecks } from './apply-report.ts'
import { attachChange } from './attach-change.ts'
import type { CodeReport } from './code-change.ts'
import { planLinksBack } from './plan-links-back.ts'

/** What administrators read about a delivery. */
export interface DeliveryResult {
  outcome: DeliveryOutcome
  note: string
}

/** Applies all that a delivery reports. `fault` says what of it could not be read. */
export async function applyReport(
  contents: Contents,
  acting: ActingContext,
  source: CodeSource,
  { report, fault }: { report: CodeReport; fault?: string | undefined },
): Promise<DeliveryResult> {
  const counts = { links: 0, leftOut: 0, full: 0 }
  const refusals = new Set<string>()
  for (const change of report.changes) {
    const result = await applyChange(acting, source, change)
    counts.links += result.linked.length
    counts.leftOut += result.leftOut
    counts.full += result.full
    for (const refusal of result.refusals) refusals.add(refusal)
    for (const refusal of (await attachChange(contents, acting, source, change, result.unlinked)).refusals)
      refusals.add(refusal)
    await planLinksBack(acting, source, change, result.linked)
  }
  for (const checks of report.checks) await applyChecks(acting, source, checks)
  const note = noteOf(counts, refusals, fault)
  if (fault !== undefined) return { outcome: 'failed', note }
  return { outcome: counts.links > 0 ? 'linked' : counts.leftOut + counts.full > 0 ? 'left out' : 'ignored', note }
}

function noteOf(
  { links, leftOut, full }: { links: number; leftOut: number; full: number },
  refusals: ReadonlySet<string>,
  fault: string | undefined,
) {
  const notes = [
    ...(fault === undefined ? [] : [fault]),
    ...(links === 0 ? [] : [`new links: ${links}`]),
    // Missing bugs, hidden ones and those of other products count together.
    ...(leftOut === 0 ? [] : [`bugs that the source may not link: ${leftOut}`]),
    ...(full === 0 ? [] : [`bugs that have as many changes as a bug may have: ${full}`]),
    ...(refusals.size === 0 ? [] : [`refused: ${[...refusals].join(', ')}`]),
  ]
  return notes.join('; ')
}
