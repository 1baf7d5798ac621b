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
  private readonly tokens = new Map<number, string>()
  private readonly people = new Map<number, string>()
  private readonly db: Db
  private readonly timer: NodeJS.Timeout

  constructor(db: Db) {
    this.db = db
    this.timer = setInterval(() => void this.write().catch(() => {}), EVERY_MILLISECONDS)
    this.timer.unref()
  }

  noteKey(id: number, lastUsedAt: string | null) {
    note(this.keys, id, lastUsedAt)
  }

  noteToken(id: number, lastUsedAt: string | null) {
    note(this.tokens, id, lastUsedAt)
  }

  notePerson(id: number, lastSeenOn: string | null) {
    const now = timeNow()
    if (lastSeenOn === null || !now.startsWith(lastSeenOn)) this.people.set(id, now.slice(0, 10))
  }

  async close() {
    clearInterval(this.timer)
    await this.write()
  }

  async write() {
    if (this.keys.size + this.tokens.size + this.people.size === 0) return
    const [keys, tokens, people] = [this.keys, this.tokens, this.people].map(drain)
    await this.db.transaction(async (tx) => {
      for (const [id, at] of keys ?? []) await tx.all(keyUsed, { id, at })
      for (const [id, at] of tokens ?? []) await tx.all(tokenUsed, { id, at })
      for (const [id, on] of people ?? []) await tx.all(personSeen, { id, on })
    })
  }
}

function note(used: Map<number, string>, id: number, lastUsedAt: string | null) {
  if (lastUsedAt === null || lastUsedAt < secondsAgo(OLD_ENOUGH_SECONDS)) used.set(id, timeNow())
}

function drain(used: Map<number, string>): [number, string][] {
  const entries = [...used].sort(([a], [b]) => a - b)
  used.clear()
  return entries
}

const keyUsed = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('api_keys').set({ last_used_at: p.at }).where('id', '=', p.id),
)
const tokenUsed = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('login_tokens').set({ last_used_at: p.at }).where('id', '=', p.id),
)
const personSeen = statement<{ id: number; on: string }>()((q, p) =>
  q.updateTable('users').set({ last_seen_on: p.on }).where('id', '=', p.id),
)
