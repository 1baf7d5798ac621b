import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Database } from '../../platform/database/tables.ts'
import { requireNoTransaction } from '../../platform/database/transactions/transaction-watch.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { timeNow, toTime } from '../../platform/time/clock.ts'

export type StepKind = Database['sign_in_steps']['kind']

interface NewStep {
  kind: StepKind
  userId: number | null
  content: string
}

const insert = statement<NewStep & { digest: string; expiresAt: string }>()((q, p) =>
  q.insertInto('sign_in_steps').values({
    digest: p.digest,
    kind: p.kind,
    user_id: p.userId,
    content: p.content,
    expires_at: p.expiresAt,
  }),
)
const forgetOld = statement<{ now: string }>()((q, p) => q.deleteFrom('sign_in_steps').where('expires_at', '<', p.now))
const take = statement<{ digest: string; kind: StepKind; now: string }>()((q, p) =>
  q
    .deleteFrom('sign_in_steps')
    .where('digest', '=', p.digest)
    .where('kind', '=', p.kind)
    .where('expires_at', '>', p.now)
    .returning(['user_id', 'content']),
)

const TOKEN_LENGTH = 32
const MINUTES = 10

/** Keeps what the next request of a login must match. Returns a token that only the browser which began it has. */
export async function insertStep(
  db: Db,
  kind: StepKind,
  userId: number | null,
  content: unknown,
  minutes = MINUTES,
): Promise<string> {
  const token = randomWord(TOKEN_LENGTH)
  await db.transaction(async (tx) => {
    await tx.all(forgetOld, { now: timeNow() })
    const expiresAt = toTime(Date.now() + minutes * 60_000)
    await tx.all(insert, { kind, userId, content: JSON.stringify(content), digest: digest(token), expiresAt })
  })
  return token
}

/** Each step is taken once: of two requests with one token, one gets it. */
export async function takeStep<Content>(
  db: Db,
  kind: StepKind,
  token: string,
): Promise<{ userId: number | null; content: Content } | undefined> {
  requireNoTransaction('A step of a login was taken')
  const row = await db.first(take, { digest: digest(token), kind, now: timeNow() })
  return row && { userId: row.user_id, content: JSON.parse(row.content) as Content }
}
