/**
 * Programs that ask for access with OAuth: the clients, the codes that they exchange, and their refresh tokens. Their access tokens are API keys
 * with the client, the resource that they are for, and the end of the grant.
 */
export const oauth = {
  name: 'oauth',
  oldestWriter: '6.0.0',
  up: `
    create table oauth_clients (
      id {id},
      client_key {text} not null unique,
      name {text} not null,
      redirect_uris {text} not null,
      auth_method {text} not null,
      secret_digest {text},
      network {text} not null,
      is_registered_by_hand integer not null,
      created_at {text} not null,
      used_at {text}
    );
    create index oauth_clients_by_network on oauth_clients (network, created_at);
    create index oauth_clients_by_use on oauth_clients (used_at, created_at);

    alter table api_keys add column client_id integer references oauth_clients (id) on delete set null;
    alter table api_keys add column resource {text};
    alter table api_keys add column grant_ends_at {text};
    create index api_keys_by_client on api_keys (client_id) where client_id is not null;

    create table oauth_codes (
      digest {text} primary key,
      client_id integer not null references oauth_clients (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      redirect_uri {text} not null,
      challenge {text} not null,
      resource {text} not null,
      scopes {text} not null,
      expires_at {text} not null,
      used_at {text},
      reused_at {text},
      key_id integer
    );
    create index oauth_codes_by_user on oauth_codes (user_id);
    create index oauth_codes_by_client on oauth_codes (client_id);
    create index oauth_codes_by_end on oauth_codes (expires_at);

    create table oauth_refresh_tokens (
      digest {text} primary key,
      key_id integer not null references api_keys (id) on delete cascade,
      scopes {text} not null,
      created_at {text} not null,
      expires_at {text} not null,
      used_at {text}
    );
    create index oauth_refresh_tokens_by_key on oauth_refresh_tokens (key_id, created_at);
  `,
}
