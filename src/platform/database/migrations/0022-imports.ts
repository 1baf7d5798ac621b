/** How far an import from another tracker is, and the lines of its report. */
export const imports = {
  name: 'imports',
  up: `
    create table imports (
      id {id},
      kind {text} not null,
      source {text} not null,
      begun_at {text} not null,
      finished_at {text},
      state {text} not null
    );

    create table import_notes (
      id {id},
      import_id integer not null references imports (id) on delete cascade,
      source_table {text} not null,
      source_key {text} not null,
      note {text} not null,
      source_row {text}
    );
    create index import_notes_by_import on import_notes (import_id, id);
  `,
}
