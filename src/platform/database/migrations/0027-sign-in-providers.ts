/** Sessions through OpenID Connect: who is who at the provider, which sessions it opened, and steps that are under way. */
export const signInProviders = {
  name: 'sign-in-providers',
  up: `
    alter table login_tokens add column provider {text};
    alter table login_tokens add column provider_subject {text};
    alter table login_tokens add column provider_session {text};
    create index login_tokens_by_subject on login_tokens (provider_subject);
    create table identity_links (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      issuer {text} not null,
      subject {text} not null,
      created_at {text} not null,
      last_used_at {text} not null,
      unique (issuer, subject)
    );
    create index identity_links_by_user on identity_links (user_id);
    create table sign_in_steps (
      digest {text} primary key,
      kind {text} not null,
      user_id integer references users (id) on delete cascade,
      content {text} not null,
      expires_at {text} not null
    );
    create index sign_in_steps_by_expiry on sign_in_steps (expires_at);
  `,
}
