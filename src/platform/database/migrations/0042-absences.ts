/** When users are away. */
export const absences = {
  name: 'absences',
  oldestWriter: '6.0.0',
  up: `
    create table absences (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      starts_at {text} not null,
      ends_at {text} not null,
      note {text} not null
    );
    create index absences_by_user on absences (user_id, ends_at);
  `,
}
