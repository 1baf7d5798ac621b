/** What those who run a tracker look back at: backups, and searches that took long. */
export const stateRecords = {
  name: 'state-records',
  oldestWriter: '6.0.0',
  up: `
    create table backups_seen (
      id {id},
      at {text} not null,
      bytes bigint,
      source {text} not null
    );

    create table slow_searches (
      id {id},
      at {text} not null,
      user_id integer references users (id) on delete cascade,
      path {text} not null,
      query {text} not null,
      milliseconds integer not null
    );
    create index slow_searches_by_user on slow_searches (user_id);
  `,
}
