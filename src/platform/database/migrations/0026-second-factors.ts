/** What a user needs besides the password to log in; see people/factors/factor-store.ts. */
export const secondFactors = {
  name: 'second-factors',
  up: `
    alter table users add column has_factor integer not null default 0;
    alter table login_tokens add column must_add_factor integer not null default 0;
    create table second_factors (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      kind {text} not null,
      name {text} not null,
      is_confirmed integer not null,
      secret {text} not null,
      credential_id {text} unique,
      counter bigint not null default 0,
      transports {text} not null default '',
      created_at {text} not null,
      last_used_at {text}
    );
    create index second_factors_by_user on second_factors (user_id);
    create table recovery_codes (
      user_id integer not null references users (id) on delete cascade,
      digest {text} not null,
      primary key (user_id, digest)
    );
  `,
}
