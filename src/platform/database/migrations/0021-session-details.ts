/** Where a session is used, and when its user last proved the password. */
export const sessionDetails = {
  name: 'session-details',
  up: `
    alter table login_tokens add column device {text} not null default '';
    alter table login_tokens add column last_address {text};
    alter table login_tokens add column proven_at {text} not null default '';
    update login_tokens set proven_at = created_at;
  `,
}
