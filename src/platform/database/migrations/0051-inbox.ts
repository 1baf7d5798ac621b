/** What waits for each user: one row for each bug whose changes reach them, and what they did with it. */
export const inbox = {
  name: 'inbox',
  oldestWriter: '6.0.0',
  up: `
    create table inbox_entries (
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      reasons integer not null default 0,
      past_reasons integer not null default 0,
      mention_comment integer,
      since {text} not null,
      noted_at {text} not null,
      state integer not null default 0,
      state_at {text} not null default '',
      snoozed_until {text},
      done_comment integer not null default -1,
      done_change integer not null default 0,
      notes integer not null default 0,
      done_notes integer not null default 0,
      read_comment integer not null default -1,
      read_change integer not null default 0,
      read_at {text} not null default '',
      undo_key {text} not null default '',
      undo_state {text} not null default '',
      primary key (user_id, bug_id)
    );
    create index inbox_entries_by_bug on inbox_entries (bug_id);
  `,
}
