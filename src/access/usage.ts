import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { secondsAgo, timeNow } from '../platform/time/clock.ts'

const EVERY_MILLISECONDS = 5_000
const OLD_ENOUGH_SECONDS = 60

/**
 * Records when keys and tokens were last used (to the minute) and users last seen (to the day). The times are collected
 * in memory and written in one batch, so that a read costs no write.
 */
export class Usage {
  private readonly keys = new Map<number, string>()
  private readonly tokens = new Map<number, TokenUse>()
  private readonly people = new Map<number, string>()
  private readonly db: Db
  private readonly timer: NodeJS.Timeout

  constructor(db: Db) {
    this.db = db
    this.timer = setInterval(() => void this.write().catch(() => {}), EVERY_MILLISECONDS)
    this.timer.unref()
  }

  noteKey(id: number, lastUsedAt: string | null) {
    if (isOld(lastUsedAt)) this.keys.set(id, timeNow())
  }

  noteToken(id: number, lastUsedAt: string, address: string) {
    if (isOld(lastUsedAt)) this.tokens.set(id, { at: timeNow(), address })
  }

  notePerson(id: number, lastSeenOn: string | null) {
    const now = timeNow()
    if (lastSeenOn === null || !now.startsWith(lastSeenOn)) this.people.set(id, now.slice(0, 10))
  }

  async close() {
    clearInterval(this.timer)
    // A database that cannot be written, for example on a full disk, does not keep the server from ending in good order.
    await this.write().catch(() => {})
  }

  async write() {
    if ([this.keys, this.tokens, this.people].every(({ size }) => size === 0)) return
    const [keys, tokens, people] = [drain(this.keys), drain(this.tokens), drain(this.people)]
    await this.db.transaction(async (tx) => {
      for (const [id, at] of keys) await tx.all(keyUsed, { id, at })
      for (const [id, { at, address }] of tokens) await tx.all(tokenUsed, { id, at, address })
      for (const [id, on] of people) await tx.all(personSeen, { id, on })
    })
  }
}

interface TokenUse {
  at: string
  address: string
}

function isOld(lastUsedAt: string | null) {
  return lastUsedAt === null || lastUsedAt < secondsAgo(OLD_ENOUGH_SECONDS)
}

function drain<Use>(used: Map<number, Use>): [number, Use][] {
  const entries = [...used].sort(([a], [b]) => a - b)
  used.clear()
  return entries
}

const keyUsed = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('api_keys').set({ last_used_at: p.at }).where('id', '=', p.id),
)
const tokenUsed = statement<TokenUse & { id: number }>()((q, p) =>
  q.updateTable('login_tokens').set({ last_used_at: p.at, last_address: p.address }).where('id', '=', p.id),
)
const personSeen = statement<{ id: number; on: string }>()((q, p) =>
  q.updateTable('users').set({ last_seen_on: p.on }).where('id', '=', p.id),
)
