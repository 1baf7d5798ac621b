export const discussion = {
  name: 'discussion',
  up: `
    alter table bugs add column actual_hundredths integer not null default 0;
    alter table bugs add column revision integer not null default 1;

    create table bug_cc (
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id),
      primary key (bug_id, user_id)
    );
    create index bug_cc_by_user on bug_cc (user_id, bug_id);

    create table bug_aliases (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      alias {text} not null,
      alias_key {text} not null unique
    );
    create index bug_aliases_by_bug on bug_aliases (bug_id, id);

    create table bug_dependencies (
      blocked_id integer not null references bugs (id) on delete cascade,
      depends_on_id integer not null references bugs (id) on delete cascade,
      primary key (blocked_id, depends_on_id)
    );
    create index bug_dependencies_by_blocker on bug_dependencies (depends_on_id, blocked_id);

    create table bug_see_also (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      url {text} not null,
      url_key {text} not null,
      local_bug_id integer references bugs (id) on delete cascade,
      unique (bug_id, url_key)
    );
    create index bug_see_also_by_local on bug_see_also (local_bug_id);

    create table comments (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      number integer not null,
      user_id integer not null references users (id),
      at {text} not null,
      text {text} not null,
      is_private integer not null default 0,
      kind integer not null default 0,
      about_id integer,
      work_hundredths integer not null default 0,
      unique (bug_id, number)
    );
    create index comments_by_user on comments (user_id, at);

    create table comment_tags (
      comment_id integer not null references comments (id) on delete cascade,
      tag {text} not null,
      tag_key {text} not null,
      primary key (comment_id, tag_key)
    );
    create index comment_tags_by_key on comment_tags (tag_key);

    create table attachments (
      id {id},
      bug_id integer not null references bugs (id) on delete cascade,
      user_id integer not null references users (id),
      created_at {text} not null,
      changed_at {text} not null,
      file_name {text} not null,
      summary {text} not null,
      content_type {text} not null,
      is_private integer not null default 0,
      is_obsolete integer not null default 0,
      is_patch integer not null default 0,
      size integer not null,
      content_digest {text} not null
    );
    create index attachments_by_bug on attachments (bug_id, id);
    create index attachments_by_digest on attachments (content_digest);
    create index attachments_by_user on attachments (user_id);
    create index flags_by_attachment on flags (attachment_id);

    create table bug_tags (
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      tag {text} not null,
      primary key (user_id, tag, bug_id)
    );
    create index bug_tags_by_bug on bug_tags (bug_id, user_id);

    create table last_visits (
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      at {text} not null,
      primary key (user_id, bug_id)
    );
    create index last_visits_by_time on last_visits (user_id, at);

    create table outbox (
      id {id},
      kind {text} not null,
      bug_id integer not null,
      user_id integer not null,
      at {text} not null,
      facts {text} not null
    );

    create table idempotent_replies (
      user_id integer not null references users (id) on delete cascade,
      idempotency_key {text} not null,
      request_digest {text} not null,
      status integer not null,
      body {text} not null,
      at {text} not null,
      primary key (user_id, idempotency_key)
    );
    create index idempotent_replies_by_time on idempotent_replies (at);

    create table installation_secrets (
      name {text} primary key,
      value {text} not null
    );
  `,
}
