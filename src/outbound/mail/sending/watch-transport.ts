import { ACCOUNT_MAIL_QUEUE, DIGEST_QUEUE, MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import { endDelays } from '../../jobs/lane-store.ts'
import { SCHEDULED_QUEUE } from '../../scheduled/scheduled-job.ts'
import { endMailOutage, findMailOutage, noteMailFailure } from './mail-outage-store.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'

/** Whose delays end with an outage. */
export const QUEUES_OF_MAIL = [MAIL_QUEUE, DIGEST_QUEUE, ACCOUNT_MAIL_QUEUE, SCHEDULED_QUEUE] as const

/** So many recipients in a row that the mail server refuses for now are a fault of the server. */
const MANY_RECIPIENTS = 5

/**
 * Notes whether mail can be sent, for the log (once per change, on all servers together), `lacewing status` and administrators. The
 * first success after an outage ends the delays of the messages in `queues`.
 */
export class TransportWatcher {
  private readonly context: Pick<DeliveryContext, 'db' | 'log'>
  private readonly queues: readonly string[]
  /** Recipients that were refused for now since the last success. */
  private readonly refused = new Set<string>()

  constructor(context: Pick<DeliveryContext, 'db' | 'log'>, queues: readonly string[]) {
    this.context = context
    this.queues = queues
  }

  watch(transport: MailTransport): MailTransport {
    return {
      send: async (message, signal) => {
        const outcome = await transport.send(message, signal).catch((fault) => asFailure(fault))
        // An attempt that the end of this server cuts short says nothing about the mail server.
        const isCut = signal.aborted && signal.reason?.name !== 'TimeoutError'
        // A message that was sent must not be sent again because this could not be noted.
        if (!isCut) await this.note(outcome, message.to).catch(() => {})
        return outcome
      },
      close: () => transport.close(),
    }
  }

  private async note(outcome: SendOutcome, to: string) {
    if (!('retry' in outcome)) {
      this.refused.clear()
      return this.noteSuccess()
    }
    if (outcome.isAboutMessage && this.refused.add(to).size < MANY_RECIPIENTS) return
    this.refused.clear()
    if (await noteMailFailure(this.context.db, outcome.retry))
      this.context.log.error('mail cannot be sent', { why: outcome.retry })
  }

  private async noteSuccess() {
    const { db, log } = this.context
    if ((await findMailOutage(db)) === undefined) return
    const since = await db.transaction(async (tx) => {
      const began = await endMailOutage(tx)
      if (began !== undefined) await endDelays(tx, this.queues)
      return began
    })
    if (since !== undefined) log.info('mail can be sent again', { since })
  }
}

function asFailure(fault: unknown): SendOutcome {
  return { retry: String(fault), isAboutMessage: false }
}
