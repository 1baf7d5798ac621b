import type { CallContext } from '../../access/call.ts'
import { isIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import type { TriageQueue } from '../../catalogue/triage-queues/queue.ts'
import { keptQueues, queueNamed } from '../../catalogue/triage-queues/queue-store.ts'
import { errors } from '../../platform/errors.ts'

type Reader = Pick<CallContext, 'caller' | 'catalogue'>

/** The queues of the caller's groups; all for members of editcomponents. */
export async function queuesOf({ caller, catalogue }: Reader): Promise<readonly TriageQueue[]> {
  const signedIn = requireLogin(caller)
  return (await catalogue(keptQueues)).filter((queue) => mayRead(signedIn, queue))
}

/** A queue of other groups counts as missing. */
export async function readableQueue({ caller, catalogue }: Reader, ref: string): Promise<TriageQueue> {
  const signedIn = requireLogin(caller)
  const queue = queueNamed(await catalogue(keptQueues), ref)
  if (!mayRead(signedIn, queue)) throw errors.no_such_object({ what: 'triage queue', ref })
  return queue
}

/** Only members of its group work in a queue. */
export async function workedQueue(reader: Reader, ref: string): Promise<TriageQueue> {
  const queue = await readableQueue(reader, ref)
  if (!reader.caller.groups.ids.has(queue.group_id))
    throw errors.not_allowed({ need: 'only members of the group of the queue work in it' })
  return queue
}

function mayRead(caller: SignedIn, { group_id }: TriageQueue) {
  return caller.groups.ids.has(group_id) || isIn(caller, 'editcomponents')
}
