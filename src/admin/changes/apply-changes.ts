import type { CallContext } from '../../access/call.ts'
import { readSettings } from '../../access/installation.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { readGroupGraph } from '../../access/visibility/group-graph.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { withoutCommit } from '../../platform/database/transactions/without-commit.ts'
import { ApiError, errors } from '../../platform/errors.ts'
import { FairQueue } from '../../platform/queues/fair-queue.ts'
import { selectionOf } from '../../platform/wire/field-selection.ts'
import { requireKnownParams } from '../../platform/wire/known-params.ts'
import { readParams } from '../../platform/wire/read-params.ts'
import { lastAuditId, requireUnchangedSince } from './configuration-version.ts'
import { type Effects, EffectsBefore } from './effects.ts'
import type { RequestedChange } from './requested-changes.ts'

export interface AppliedChanges {
  /** What each call returned. */
  responses: unknown[]
  effects: Effects
  version: number
}

/** One at a time: a write that comes meanwhile waits for one of them, and not for all that were begun before. */
const dryRuns = new FairQueue({ running: 1, waiting: 50, waitingOfOneCaller: 5 })

/** Carries out all changes, or none. With `isDryRun` none, and the result says what would have happened. */
export function applyChanges(
  context: CallContext,
  changes: readonly RequestedChange[],
  isDryRun: boolean,
): Promise<AppliedChanges> {
  if (!isDryRun) return withLiveCredential(context, 'configuration', (tx) => applyWithin(tx, context, changes))
  const { caller, signal } = context.request.readLimits
  return dryRuns.run(caller, () => {
    if (signal.aborted) throw errors.client_left()
    return withoutCommit((finish) =>
      withLiveCredential(context, 'configuration', async (tx) => finish(await applyWithin(tx, context, changes))),
    )
  })
}

async function applyWithin(
  tx: ConfigurationTransaction,
  context: CallContext,
  changes: readonly RequestedChange[],
): Promise<AppliedChanges> {
  const versionBefore = await lastAuditId(tx)
  const before = await EffectsBefore.read(tx, versionBefore, context, changes)
  const responses: unknown[] = []
  for (const change of changes) responses.push(await applyOne(tx, context, change, before))
  await requireUnchangedSince(tx, context, versionBefore)
  return { responses, effects: await before.compare(tx), version: await lastAuditId(tx) }
}

/** Each change sees what those before it have done, and the caller has the rights from before all of them. */
async function applyOne(
  tx: ConfigurationTransaction,
  context: CallContext,
  change: RequestedChange,
  before: EffectsBefore,
): Promise<unknown> {
  const { call, path, rawParams, name } = change
  try {
    if (call.unknownParams === 'refused') requireKnownParams(call, rawParams)
    await before.countUses(tx, change)
    return await call.run(
      {
        ...context,
        db: tx,
        settings: await readSettings(tx),
        groups: await readGroupGraph(tx),
        catalogue: (part) => part.read(tx),
        params: readParams(call.params, rawParams),
        rawParams,
        path,
        select: selectionOf(call.selectsFields ? rawParams : {}),
        form: undefined,
        ifMatch: undefined,
        answerHeaders: {},
      },
      undefined,
    )
  } catch (fault) {
    if (fault instanceof ApiError) fault.message = `${name}: ${fault.message}`
    throw fault
  }
}
