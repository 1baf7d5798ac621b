export const people = {
  name: 'people',
  up: `
    create table users (
      id {id},
      login {text} not null,
      login_key {text} not null unique,
      real_name {text} not null,
      real_name_key {text} not null,
      password_hash {text},
      disabled_text {text} not null default '',
      email_enabled integer not null default 1,
      created_at {text} not null,
      last_seen_on {text}
    );

    create table groups (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      description {text} not null,
      is_bug_group integer not null,
      user_regexp {text} not null default '',
      is_active integer not null default 1,
      icon_url {text},
      is_system integer not null default 0
    );

    create table user_group_grants (
      user_id integer not null references users (id) on delete cascade,
      group_id integer not null references groups (id) on delete cascade,
      "right" {text} not null,
      source {text} not null,
      primary key (user_id, group_id, "right", source)
    );
    create index user_group_grants_by_group on user_group_grants (group_id, "right", user_id);

    create table group_grants (
      member_group_id integer not null references groups (id) on delete cascade,
      group_id integer not null references groups (id) on delete cascade,
      "right" {text} not null,
      primary key (member_group_id, group_id, "right")
    );

    create table api_keys (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      digest {text} not null unique,
      description {text} not null,
      scopes {text} not null,
      created_at {text} not null,
      expires_at {text},
      revoked_at {text},
      last_used_at {text}
    );
    create index api_keys_by_user on api_keys (user_id, id);

    create table login_tokens (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      digest {text} not null unique,
      address {text},
      created_at {text} not null,
      last_used_at {text} not null
    );
    create index login_tokens_by_user on login_tokens (user_id, id);

    create table login_failures (
      id {id},
      login_key {text} not null,
      address {text} not null,
      at {text} not null
    );
    create index login_failures_by_login on login_failures (login_key, address, at);

    create table parameters (
      name {text} primary key,
      value {text} not null
    );

    create table audit_log (
      id {id},
      user_id integer references users (id) on delete set null,
      class {text} not null,
      object_id integer not null,
      field {text} not null,
      removed {text},
      added {text},
      at {text} not null
    );
    create index audit_log_by_class on audit_log (class, at);

    create table state_versions (
      id integer primary key,
      parameters integer not null,
      groups integer not null
    );
    insert into state_versions (id, parameters, groups) values (1, 1, 1);

    create table keywords (
      id {id},
      name {text} not null,
      name_key {text} not null unique,
      description {text} not null
    );
  `,
}
