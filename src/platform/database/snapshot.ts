export type SnapshotRow = Record<string, string | number | null>

/** The state of a database at one moment, read on a connection of its own while others write. */
export interface Snapshot {
  readonly engine: 'sqlite' | 'postgres'
  /** The rows of a select, some hundreds at a time. One select must end before the next begins. */
  rows(sql: string): AsyncGenerator<SnapshotRow[]>
  close(): Promise<void>
}

export async function allRows<Row extends SnapshotRow = SnapshotRow>(snapshot: Snapshot, sql: string): Promise<Row[]> {
  const all: SnapshotRow[] = []
  for await (const rows of snapshot.rows(sql)) all.push(...rows)
  return all as Row[]
}
