/**
 * Records the API key with which something was made that acts or listens for its user, so that it ends with the key. A
 * key that could read the secret mail address before counts as one that has done so.
 */
export const madeWithKeys = {
  name: 'made-with-keys',
  up: `
    alter table api_keys add column made_with_key_id integer;
    alter table api_keys add column knows_mail_address integer not null default 0;
    alter table webhooks add column key_id integer;
    alter table scheduled_mails add column key_id integer;
    alter table mail_addresses add column is_off integer not null default 0;
    update api_keys set knows_mail_address = 1
      where user_id in (select user_id from mail_addresses)
        and scopes like '%write%' and expires_at is null and last_used_at is not null;
  `,
}
