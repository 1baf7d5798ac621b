import type { Db } from './database/db.ts'

/** Something that each server has one of, such as the hub of all clients that listen to the feed. */
export interface ServerPart<Value> {
  open(db: Db): Value
}

/** The parts of one server, opened when they are first needed. buildApp makes it, and calls get it with their context. */
export class ServerParts {
  private readonly db: Db
  private readonly open = new Map<ServerPart<unknown>, unknown>()

  constructor(db: Db) {
    this.db = db
  }

  get<Value>(part: ServerPart<Value>): Value {
    if (!this.open.has(part)) this.open.set(part, part.open(this.db))
    return this.open.get(part) as Value
  }
}
