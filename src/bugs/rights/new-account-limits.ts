import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { isNewAccount, requireAllowedWords } from '../../access/new-account.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

type WriterContext = Pick<CallContext, 'caller' | 'settings'>

/** What a user wants to write, and how often: a comment on three bugs is three comments. */
export interface NewContent {
  kind: 'bugs' | 'comments' | 'attachments'
  count: number
  texts: readonly (string | undefined)[]
}

const DAY_SECONDS = 86_400

/**
 * Users who created their own account can write only so much per day in their first days, and nothing with the words and links that the
 * parameter new_account_denied lists.
 */
export async function requireRoomForNewAccount(
  tx: BugTransaction,
  { caller, settings }: WriterContext,
  { kind, count, texts }: NewContent,
) {
  if (!isNewAccount(caller, settings)) return
  const { id } = requireLogin(caller)
  requireAllowedWords(caller, settings, texts)
  await requireFewMails(tx, id, settings.new_account_mails)
  const most = mostPerDay(settings)[kind]
  if (most === 0 || count === 0) return
  // Of two requests at once, one waits, so that together they do not write too much.
  await tx.all(lockUser, { id })
  const written = Number((await tx.first(WRITTEN[kind], { id, since: secondsAgo(DAY_SECONDS) }))?.count ?? 0)
  if (written + count > most) throw errors.new_account_limit({ limit: kind, most, subject: kind })
}

/** Delivery counts the messages that the account causes. When it has stopped sending them, nothing more is written. */
async function requireFewMails(tx: BugTransaction, userId: number, most: number) {
  const row = most === 0 ? undefined : await tx.first(mailsOn, { userId, day: timeNow().slice(0, 10) })
  if (row !== undefined && row.message_count > most)
    throw errors.new_account_limit({ limit: 'mails', most, subject: 'messages of mail to others' })
}

const mailsOn = statement<{ userId: number; day: string }>()((q, p) =>
  q.selectFrom('new_account_mails').select('message_count').where('user_id', '=', p.userId).where('on_day', '=', p.day),
)

function mostPerDay(settings: WriterContext['settings']): Record<NewContent['kind'], number> {
  return {
    bugs: settings.new_account_bugs,
    comments: settings.new_account_comments,
    attachments: settings.new_account_attachments,
  }
}

const lockUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)
const WRITTEN = {
  bugs: statement<{ id: number; since: string }>()((q, p) =>
    q
      .selectFrom('bugs')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('creator_id', '=', p.id)
      .where('created_at', '>', p.since),
  ),
  comments: statement<{ id: number; since: string }>()((q, p) =>
    q
      .selectFrom('comments')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('user_id', '=', p.id)
      .where('at', '>', p.since)
      .where('number', '>', 0),
  ),
  attachments: statement<{ id: number; since: string }>()((q, p) =>
    q
      .selectFrom('attachments')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('user_id', '=', p.id)
      .where('created_at', '>', p.since),
  ),
}
