/** The lists of a bug at the time of this migration; bug-lists.ts has the current ones. */
const LISTS = [
  { bit: 1, table: 'bug_aliases', column: 'bug_id' },
  { bit: 2, table: 'bug_keywords', column: 'bug_id' },
  { bit: 4, table: 'bug_groups', column: 'bug_id' },
  { bit: 8, table: 'bug_dependencies', column: 'blocked_id' },
  { bit: 16, table: 'bug_dependencies', column: 'depends_on_id' },
  { bit: 32, table: 'bug_see_also', column: 'bug_id' },
  { bit: 64, table: 'flags', column: 'bug_id' },
  { bit: 128, table: 'bug_custom_values', column: 'bug_id' },
]

/** `bugs.lists` says which lists of a bug may have rows; see bug-lists.ts. */
export const bugLists = {
  name: 'bug-lists',
  up: `
    alter table bugs add column lists integer not null default 0;
    ${LISTS.map(({ bit, table, column }) => `update bugs set lists = lists | ${bit} where id in (select ${column} from ${table});`).join('\n')}
  `,
  sqlite: LISTS.map(
    ({ bit, table, column }) => `
    create trigger ${table}_note_${column} after insert on ${table} begin
      update bugs set lists = lists | ${bit} where id = new.${column} and lists & ${bit} = 0;
    end;`,
  ).join(''),
  postgres: LISTS.map(({ bit, table, column }) => {
    const name = `${table}_note_${column}`
    return `
    create function ${name}() returns trigger language plpgsql as $$ begin
      update bugs set lists = lists | ${bit} where id = new.${column} and lists & ${bit} = 0;
      return new;
    end $$;
    create trigger ${name} after insert on ${table} for each row execute function ${name}();`
  }).join(''),
}
