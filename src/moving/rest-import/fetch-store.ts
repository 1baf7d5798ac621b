import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Json } from '../rest-client/rest-server.ts'

/** What was read of one bug. */
export interface FetchedBug {
  readonly bug: Json
  readonly comments: Json
  readonly history: Json
  readonly attachments: Json
  /** Who votes for it; null if the source does not say, undefined if it has no votes. */
  readonly votes?: Json | undefined
}

/**
 * Everything that was read from the source, in a file. Each part is committed, so that reading goes on where it was
 * broken off, and what is imported depends only on this file.
 */
export class FetchStore {
  private readonly db: DatabaseSync
  private readonly file: string

  constructor(file: string) {
    this.file = file
    this.db = new DatabaseSync(file)
    this.db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
      create table if not exists facts (name text primary key, value text not null);
      create table if not exists answers (call text primary key, body blob not null);
      create table if not exists bugs (id integer primary key, body blob, note text);
      create table if not exists contents (id integer primary key, bytes blob, note text)`)
  }

  fact(name: string): string | undefined {
    return this.db.prepare('select value from facts where name = ?').get(name)?.value as string | undefined
  }

  setFact(name: string, value: string) {
    this.db.prepare('insert or replace into facts (name, value) values (?, ?)').run(name, value)
  }

  answer(call: string): Json | undefined {
    const row = this.db.prepare('select body from answers where call = ?').get(call)
    return row === undefined ? undefined : unpacked(row.body)
  }

  saveAnswer(call: string, body: Json) {
    this.db.prepare('insert or replace into answers (call, body) values (?, ?)').run(call, packed(body))
  }

  /** The answers to calls that begin like this, in the order in which they were made. */
  *answersTo(prefix: string): Iterable<Json> {
    const rows = this.db.prepare('select body from answers where substr(call, 1, ?) = ? order by rowid')
    for (const row of rows.iterate(prefix.length, prefix)) yield unpacked(row.body)
  }

  /** Adds bugs that are to be read, and how far the list was read. */
  addBugs(numbers: readonly number[], listedTo: number) {
    this.transaction(() => {
      const insert = this.db.prepare('insert or ignore into bugs (id) values (?)')
      for (const number of numbers) insert.run(number)
      this.setFact('listed', String(listedTo))
    })
  }

  bugCount(): { all: number; read: number } {
    const row = this.db.prepare('select count(*) as n, count(coalesce(body, note)) as m from bugs').get() as {
      n: number
      m: number
    }
    return { all: row.n, read: row.m }
  }

  /** The next bugs that were not read. */
  nextBugs(limit: number): number[] {
    const rows = this.db
      .prepare('select id from bugs where body is null and note is null order by id limit ?')
      .all(limit)
    return rows.map(({ id }) => id as number)
  }

  saveBugs(bugs: ReadonlyMap<number, FetchedBug | string>) {
    this.transaction(() => {
      const save = this.db.prepare('update bugs set body = ?, note = ? where id = ?')
      for (const [id, bug] of bugs)
        if (typeof bug === 'string') save.run(null, bug, id)
        else save.run(packed({ ...bug }), null, id)
    })
  }

  *bugs(): Iterable<{ id: number; bug: FetchedBug | undefined; note: string }> {
    for (const { id, body, note } of this.db.prepare('select id, body, note from bugs order by id').iterate())
      yield {
        id: id as number,
        bug: body === null ? undefined : (unpacked(body as Uint8Array) as unknown as FetchedBug),
        note: String(note ?? ''),
      }
  }

  hasContent(id: number): boolean {
    return this.db.prepare('select 1 from contents where id = ?').get(id) !== undefined
  }

  saveContent(id: number, bytes: Buffer | undefined, note: string | null) {
    this.db.prepare('insert or replace into contents (id, bytes, note) values (?, ?, ?)').run(id, bytes ?? null, note)
  }

  content(id: number): { bytes: Uint8Array | null; note: string | null } | undefined {
    return this.db.prepare('select bytes, note from contents where id = ?').get(id) as
      | { bytes: Uint8Array | null; note: string | null }
      | undefined
  }

  close() {
    this.db.close()
  }

  /** Closes and deletes it. */
  remove() {
    this.close()
    FetchStore.removeFile(this.file)
  }

  static removeFile(file: string) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  }

  static isThere(file: string) {
    return existsSync(file)
  }

  private transaction(work: () => void) {
    this.db.exec('begin')
    try {
      work()
      this.db.exec('commit')
    } catch (fault) {
      this.db.exec('rollback')
      throw fault
    }
  }
}

function packed(body: Json): Buffer {
  return deflateRawSync(JSON.stringify(body), { level: 3 })
}

function unpacked(bytes: unknown): Json {
  return JSON.parse(inflateRawSync(bytes as Uint8Array).toString('utf8')) as Json
}
