/** Who has a bug open now, for a minute after each sign of life, and who does not want that to be shown. */
export const presence = {
  name: 'presence',
  oldestWriter: '6.0.0',
  up: `
    alter table users add column hides_presence integer not null default 0;

    create table bug_presences (
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      session_id integer references login_tokens (id) on delete cascade,
      is_writing integer not null,
      since {text} not null,
      written_at {text} not null,
      expires_at {text} not null,
      primary key (bug_id, user_id)
    );
    create index bug_presences_by_user on bug_presences (user_id, expires_at);
    create index bug_presences_by_session on bug_presences (session_id);
    create index bug_presences_by_time on bug_presences (expires_at);
  `,
}
