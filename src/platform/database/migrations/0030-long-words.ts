/**
 * On SQLite, indexing words no longer takes so long that other requests notice. Fewer texts wait to be indexed if they
 * are long. Words that were replaced do not cause a merge of the part of the index that they are in, which can be nearly
 * the whole index; they disappear from it with the merges that new words cause.
 */
export const longWords = {
  name: 'long-words',
  up: '',
  sqlite: ['bug_words', 'private_words'].map(flow).join('\n'),
}

function flow(table: string) {
  return `
    insert into ${table}_index (${table}_index, rank) values ('deletemerge', 0);
    drop trigger ${table}_flow;
    create trigger ${table}_flow after insert on ${table}
    when (select count(*) from ${table}) >= 64
      or octet_length(new.words) > 8000 and (select sum(octet_length(words)) from ${table}) > 150000 begin
      delete from ${table}_index where rowid in (select place from ${table} where replaces = 1);
      insert into ${table}_index (rowid, words) select place, words from ${table} where words <> '';
      delete from ${table};
    end;
  `
}
