import { LIST_BITS, LIST_ROWS, type ListOfBug } from '../bug-lists.ts'

const lists = Object.keys(LIST_BITS) as ListOfBug[]

/** Sets the bits of all rows that there are; for whoever brings rows in without the triggers. */
export const NOTE_ALL_LISTS = lists
  .map((list) => {
    const { table, column } = LIST_ROWS[list]
    return `update bugs set lists = lists | ${LIST_BITS[list]} where id in (select ${column} from ${table});`
  })
  .join('\n')

/** A bug knows which of its lists have anything in them; see bug-lists.ts. */
export const bugLists = {
  name: 'bug-lists',
  up: `
    alter table bugs add column lists integer not null default 0;
    ${NOTE_ALL_LISTS}
  `,
  sqlite: lists
    .map((list) => {
      const { table, column } = LIST_ROWS[list]
      const bit = LIST_BITS[list]
      return `
    create trigger ${table}_note_${column} after insert on ${table} begin
      update bugs set lists = lists | ${bit} where id = new.${column} and lists & ${bit} = 0;
    end;`
    })
    .join(''),
  postgres: lists
    .map((list) => {
      const { table, column } = LIST_ROWS[list]
      const bit = LIST_BITS[list]
      const name = `${table}_note_${column}`
      return `
    create function ${name}() returns trigger language plpgsql as $$ begin
      update bugs set lists = lists | ${bit} where id = new.${column} and lists & ${bit} = 0;
      return new;
    end $$;
    create trigger ${name} after insert on ${table} for each row execute function ${name}();`
    })
    .join(''),
}
