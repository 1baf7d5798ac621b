import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { isKeyAlive } from './live-keys.ts'

/** What became of the proposals of an API key. */
export interface ProposalCounts {
  open: number
  accepted: number
  declined: number
  /** Withdrawn, expired, ended with the key. */
  other: number
  /** Of the rows that were decided, which part was accepted, from 0 to 1; null if none was. */
  acceptance: number | null
}

export const NO_PROPOSALS: ProposalCounts = { open: 0, accepted: 0, declined: 0, other: 0, acceptance: null }

const byState = statement<{ userId: number; now: string }>()((q, p) =>
  q
    .selectFrom('proposals')
    .select(['key_id', sql<number>`count(*)`.as('count')])
    .select(
      sql<string>`case when state <> 'open' then state when expires_at <= ${p.now} then 'expired'
        when not ${isKeyAlive(sql`proposals.key_id`, p.now)} then 'ended' else 'open' end`.as('current_state'),
    )
    .where('user_id', '=', p.userId)
    .groupBy(['key_id', 'current_state']),
)
const rowsByState = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('proposal_rows')
    .innerJoin('proposals', 'proposals.id', 'proposal_rows.proposal_id')
    .select(['proposals.key_id', 'proposal_rows.state', sql<number>`count(*)`.as('count')])
    .where('proposals.user_id', '=', p.userId)
    .where('proposal_rows.state', '!=', 'open')
    .groupBy(['proposals.key_id', 'proposal_rows.state']),
)

/** The counts of each key of the user that has proposed something. */
export async function countProposals(db: Db, userId: number): Promise<ReadonlyMap<number, ProposalCounts>> {
  const states = await db.all(byState, { userId, now: timeNow() })
  if (states.length === 0) return new Map()
  const rows = Map.groupBy(await db.all(rowsByState, { userId }), ({ key_id }) => key_id)
  return new Map(
    [...Map.groupBy(states, ({ key_id }) => key_id)].map(([keyId, own]) => {
      const countOf = (state: string) => Number(own.find((it) => it.current_state === state)?.count ?? 0)
      const [open, accepted, declined] = [countOf('open'), countOf('accepted'), countOf('declined')]
      const all = own.reduce((sum, { count }) => sum + Number(count), 0)
      const counts = { open, accepted, declined, other: all - open - accepted - declined }
      return [keyId, { ...counts, acceptance: shareAccepted(rows.get(keyId) ?? []) }]
    }),
  )
}

function shareAccepted(rows: readonly { state: string; count: number }[]): number | null {
  const decided = rows.reduce((sum, { count }) => sum + Number(count), 0)
  const accepted = Number(rows.find(({ state }) => state === 'accepted')?.count ?? 0)
  return decided === 0 ? null : Math.round((accepted / decided) * 1000) / 1000
}
