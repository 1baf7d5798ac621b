export const mail = {
  name: 'mail',
  up: `
    alter table outbox add column assigned_to_id integer;
    alter table outbox add column qa_contact_id integer;
    alter table outbox add column creator_id integer;
    alter table outbox add column cc_ids {text};

    create table mail_choices (
      user_id integer not null references users (id) on delete cascade,
      relationship integer not null,
      event integer not null,
      is_wanted integer not null,
      primary key (user_id, relationship, event)
    );

    create table mail_forms (
      user_id integer primary key references users (id) on delete cascade,
      is_html integer not null,
      has_new_prefix integer not null
    );

    create table watched_users (
      watcher_id integer not null references users (id) on delete cascade,
      watched_id integer not null references users (id) on delete cascade,
      primary key (watcher_id, watched_id)
    );
    create index watched_users_by_watched on watched_users (watched_id, watcher_id);

    create table ignored_bugs (
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      primary key (user_id, bug_id)
    );
    create index ignored_bugs_by_bug on ignored_bugs (bug_id, user_id);
  `,
}
