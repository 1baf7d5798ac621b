import type { Log } from '../../monitoring/log.ts'
import type { Db } from '../db.ts'
import { Replica, type ReplicaCounts } from './replica.ts'
import { ReplicaReads } from './replica-reads.ts'
import { primaryPosition, type WalPosition } from './wal-position.ts'

/** The standbys of the primary, for requests that only read. */
export class Replicas {
  private readonly primary: Db
  private readonly replicas: readonly Replica[]
  private running: Promise<unknown> = Promise.resolve()
  private next: Promise<WalPosition> | undefined

  constructor(primary: Db, urls: readonly string[], log: Log) {
    this.primary = primary
    this.replicas = urls.map((url) => new Replica(url, log, () => this.position()))
  }

  /**
   * A database for one request: a standby that shows everything that was committed before this call, or the primary if there is none.
   * To be called when the rights of the caller are known: data that are older than the rights could show what the caller never might see.
   */
  async reader(): Promise<Db> {
    const usable = this.replicas.filter(({ isUsable }) => isUsable)
    if (usable.length === 0) return this.primary
    const position = await this.position().catch(() => undefined)
    const replica = position === undefined ? undefined : await chosen(usable, position)
    return replica === undefined ? this.primary : new ReplicaReads(this.primary, replica)
  }

  counts(): ReplicaCounts[] {
    return this.replicas.map((replica) => replica.counts())
  }

  async close() {
    await Promise.all(this.replicas.map((replica) => replica.close()))
  }

  /** The position of the primary at some moment after the call. Calls that come while it is read share the next read. */
  private position(): Promise<WalPosition> {
    this.next ??= this.running.then(() => {
      this.next = undefined
      const read = this.readPosition()
      this.running = read.catch(() => {})
      return read
    })
    return this.next
  }

  private async readPosition(): Promise<WalPosition> {
    const position = await this.primary.first(primaryPosition, {})
    if (position === undefined) throw new Error('The primary has no position')
    return position
  }
}

/** The least busy one that is known to have caught up, else the first that catches up soon. */
async function chosen(usable: readonly Replica[], position: WalPosition): Promise<Replica | undefined> {
  const byLoad = usable.toSorted((one, other) => one.load - other.load || one.counts().reads - other.counts().reads)
  const known = byLoad.find((replica) => replica.isKnownToShow(position))
  if (known !== undefined) return known
  for (const replica of byLoad) if (replica.isKnownToShow(position) || (await replica.shows(position))) return replica
  return undefined
}
