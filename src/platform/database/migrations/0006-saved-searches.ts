/** Saved searches and reports, the counts of charts, and daily chores that one server does for all. */
export const savedSearches = {
  name: 'saved-searches',
  up: `
    create table saved_searches (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      kind {text} not null,
      name {text} not null,
      name_key {text} not null,
      query {text} not null,
      group_id integer references groups (id) on delete set null,
      unique (user_id, kind, name_key)
    );
    create index saved_searches_by_group on saved_searches (group_id);

    create table series_counts (
      series_id integer not null references series (id) on delete cascade,
      on_day {text} not null,
      bug_count integer not null,
      primary key (series_id, on_day)
    );

    create table chores (
      name {text} primary key,
      on_day {text} not null,
      begun_at {text} not null,
      is_done integer not null
    );
  `,
}
