const COLUMNS = ['summary', 'whiteboard']

/** Only the changed text of a bug is indexed again. */
export const dueTrigrams = {
  name: 'due-trigrams',
  up: '',
  sqlite: `
    drop trigger changed_bugs_are_due;
    drop trigger due_trigrams_flow;
    ${COLUMNS.map((column) => `alter table due_trigrams add column ${column} integer not null default 1;`).join('\n')}
    create trigger changed_bugs_are_due after update of summary_key, whiteboard_key on bugs
    when ${COLUMNS.map((column) => `old.${column}_key <> new.${column}_key`).join(' or ')} begin
      insert into due_trigrams (bug_id, ${COLUMNS.join(', ')})
        values (new.id, ${COLUMNS.map((column) => `old.${column}_key <> new.${column}_key`).join(', ')})
        on conflict (bug_id) do update set ${COLUMNS.map((it) => `${it} = max(${it}, excluded.${it})`).join(', ')};
    end;
    create trigger due_trigrams_flow after insert on due_trigrams when (select count(*) from due_trigrams) >= 64 begin
      ${COLUMNS.map(refreshing).join('\n')}
      delete from due_trigrams;
    end;
  `,
}

function refreshing(column: string) {
  return `
      delete from ${column}_trigrams where rowid in (select bug_id from due_trigrams where ${column} = 1);
      insert into ${column}_trigrams (rowid, text)
        select id, ${column}_key from bugs
        where id in (select bug_id from due_trigrams where ${column} = 1) and ${column}_key <> '';`
}
