/** Links in mail with which users create an account or choose a password; see people/accounts/account-link-store.ts. */
export const accountLinks = {
  name: 'account-links',
  up: `
    create table account_links (
      id {id},
      kind {text} not null,
      login {text} not null,
      recipient_key {text} not null,
      network {text} not null,
      user_id integer references users (id) on delete cascade,
      digest {text} unique,
      asked_at {text} not null,
      expires_at {text} not null,
      used_at {text}
    );
    create index account_links_by_recipient on account_links (recipient_key, asked_at);
    create index account_links_by_network on account_links (network, asked_at);
    create index account_links_by_user on account_links (user_id);
  `,
}
