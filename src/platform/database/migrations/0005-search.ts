import type { Db } from '../db.ts'
import { fold, placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from './0005-words.ts'

/**
 * Indexes for text search. Substrings: the folded summary and whiteboard, with a trigram index. Words: bug_words has
 * those of summaries and public comments, private_words those of private comments, each at its position (see words.ts)
 * and in the forms of wordsIn(). A row without words deletes what was at its position.
 */
export const search = {
  name: 'search',
  up: `
    alter table bugs add column summary_key {text} not null default '';
    alter table bugs add column whiteboard_key {text} not null default '';
  `,
  /**
   * Writing to an FTS index of SQLite in every transaction would make each several times as long. So rows wait in a
   * table that every search also reads, and are moved into the index in batches. That takes a millisecond or two.
   */
  sqlite: `
    ${['summary', 'whiteboard'].map(sqliteTrigrams).join('\n')}
    create table due_trigrams (bug_id integer primary key);
    create trigger bugs_are_due after insert on bugs begin
      insert or ignore into due_trigrams (bug_id) values (new.id);
    end;
    create trigger changed_bugs_are_due after update of summary_key, whiteboard_key on bugs begin
      insert or ignore into due_trigrams (bug_id) values (new.id);
    end;
    create trigger due_trigrams_flow after insert on due_trigrams when (select count(*) from due_trigrams) >= 64 begin
      ${['summary', 'whiteboard'].map(refreshing).join('\n')}
      delete from due_trigrams;
    end;
    ${['bug_words', 'private_words'].map(sqliteWords).join('\n')}
    create trigger removed_bugs_are_forgotten after delete on bugs begin
      delete from due_trigrams where bug_id = old.id;
      delete from summary_trigrams where rowid = old.id;
      delete from whiteboard_trigrams where rowid = old.id;
      ${['bug_words', 'private_words'].map(forgetting).join('\n')}
    end;
  `,
  postgres: `
    create extension if not exists pg_trgm;
    create index bugs_by_part_of_summary on bugs using gin (summary_key gin_trgm_ops);
    create index bugs_by_part_of_whiteboard on bugs using gin (whiteboard_key gin_trgm_ops);
    ${['bug_words', 'private_words'].map(postgresWords).join('\n')}
    create function forget_words() returns trigger language plpgsql as $$ begin
      delete from bug_words where place >= old.id::bigint * 1048576 and place < (old.id::bigint + 1) * 1048576;
      delete from private_words where place >= old.id::bigint * 1048576 and place < (old.id::bigint + 1) * 1048576;
      return old;
    end $$;
    create trigger removed_bugs_are_forgotten after delete on bugs for each row execute function forget_words();
  `,
  fill: fillIndexes,
}

function sqliteTrigrams(column: string) {
  return `
    create virtual table ${column}_trigrams using fts5 (
      text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
    );`
}

function refreshing(column: string) {
  return `
      delete from ${column}_trigrams where rowid in (select bug_id from due_trigrams);
      insert into ${column}_trigrams (rowid, text)
        select id, ${column}_key from bugs where id in (select bug_id from due_trigrams) and ${column}_key <> '';`
}

function sqliteWords(table: string) {
  return `
    create virtual table ${table}_index using fts5 (
      words, content = '', contentless_delete = 1, tokenize = 'ascii'
    );
    create table ${table} (place integer primary key, words text not null, replaces integer not null);
    create trigger ${table}_flow after insert on ${table} when (select count(*) from ${table}) >= 64 begin
      delete from ${table}_index where rowid in (select place from ${table} where replaces = 1);
      insert into ${table}_index (rowid, words) select place, words from ${table} where words <> '';
      delete from ${table};
    end;
  `
}

function forgetting(table: string) {
  return `
      delete from ${table} where place >= old.id * 1048576 and place < (old.id + 1) * 1048576;
      delete from ${table}_index where rowid >= old.id * 1048576 and rowid < (old.id + 1) * 1048576;`
}

function postgresWords(table: string) {
  return `
    create table ${table} (place bigint primary key, words tsvector not null, replaces integer not null);
    create index ${table}_index on ${table} using gin (words);
  `
}

const AT_ONCE = 1000

/** Indexes the rows that an older release has written. */
async function fillIndexes(tx: Db) {
  for (let last = 0; ; ) {
    const bugs = await tx.query((q) =>
      q.selectFrom('bugs').select(['id', 'summary', 'whiteboard']).where('id', '>', last).orderBy('id').limit(AT_ONCE),
    )
    for (const bug of bugs) await fillBug(tx, bug)
    if (bugs.length < AT_ONCE) return
    last = bugs.at(-1)?.id ?? last
  }
}

async function fillBug(tx: Db, { id, summary, whiteboard }: { id: number; summary: string; whiteboard: string }) {
  await tx.query((q) =>
    q
      .updateTable('bugs')
      .set({ summary_key: fold(summary), whiteboard_key: fold(whiteboard) })
      .where('id', '=', id),
  )
  await fillPlace(tx, 'bug_words', placeOf(id, SUMMARY_PLACE), wordsInSummary(summary))
  const comments = await tx.query((q) =>
    q.selectFrom('comments').select(['number', 'text', 'is_private']).where('bug_id', '=', id),
  )
  for (const { number, text, is_private } of comments)
    await fillPlace(tx, is_private === 1 ? 'private_words' : 'bug_words', placeOf(id, number), wordsIn(text))
}

async function fillPlace(tx: Db, table: 'bug_words' | 'private_words', place: number, words: readonly string[]) {
  await tx.query((q, d) => q.insertInto(table).values({ place, words: d.keptWords(words), replaces: 0 }))
}
