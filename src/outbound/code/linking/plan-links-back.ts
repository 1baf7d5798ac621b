import { visibleAmong } from '../../../bugs/values/bug-refs.ts'
import { CODE_QUEUE } from '../../../changes/change-links.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { addJobs } from '../../../platform/database/new-jobs.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import { type CodeJob, linkBackLaneOf } from '../code-job.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { ReportedChange } from './code-change.ts'

/** All who read the change at its source learn that the bug exists, so only bugs that everybody sees are named there. */
const ANYBODY = { viewerId: 0, viewerGroups: '[]' }

export async function publicAmong(db: Db, settings: Settings, ids: readonly number[]): Promise<ReadonlySet<number>> {
  return settings.requirelogin ? new Set() : visibleAmong(db, settings, ANYBODY, ids)
}

/** Plans to write the addresses of the linked bugs at the change, if the source is set so. */
export async function planLinksBack(
  { db, settings }: ActingContext,
  source: CodeSource,
  { key, kind }: ReportedChange,
  linked: readonly number[],
) {
  if (!source.links_back || source.token === '' || kind !== 'change' || linked.length === 0) return
  const shown = await publicAmong(db, settings, linked)
  const jobs = [...shown].map((bugId) => {
    const payload: CodeJob = { sourceId: source.id, changeKey: key, linkBackTo: bugId }
    return { queue: CODE_QUEUE, lane: linkBackLaneOf(source.id), payload }
  })
  await db.transaction((tx) => addJobs(tx, jobs))
}
