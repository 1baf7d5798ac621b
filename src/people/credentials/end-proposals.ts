import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'

const openOfKeys = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('proposals')
    .select('id')
    .where('key_id', 'in', d.integersIn(p.ids))
    .where('state', 'in', ['open', 'hidden'])
    .orderBy('id')
    .modifyEnd(d.locked()),
)
const end = statement<{ ids: string; at: string }>()((q, p, d) =>
  q
    .updateTable('proposals')
    .set({ state: 'ended', state_at: p.at })
    .where('id', 'in', d.integersIn(p.ids))
    .where('state', 'in', ['open', 'hidden']),
)
const forgetParams = statement<{ ids: string }>()((q, p, d) =>
  q.updateTable('proposal_rows').set({ params: '{}' }).where('proposal_id', 'in', d.integersIn(p.ids)),
)

/** Ends what these keys, which have just been revoked or limited, have proposed and nobody has decided yet. */
export async function endProposalsOfKeys(tx: Db, keyIds: readonly number[]) {
  const open = await tx.all(openOfKeys, { ids: JSON.stringify(keyIds) })
  if (open.length === 0) return
  const ids = JSON.stringify(open.map(({ id }) => id))
  await tx.all(end, { ids, at: timeNow() })
  await tx.all(forgetParams, { ids })
}
