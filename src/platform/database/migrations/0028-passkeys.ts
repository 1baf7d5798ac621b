/** What is known about a passkey besides its key; see people/passkeys/passkey-store.ts. */
export const passkeys = {
  name: 'passkeys',
  up: `
    alter table second_factors add column rp_id {text} not null default '';
    alter table second_factors add column is_multi_device integer not null default 0;
    alter table second_factors add column is_backed_up integer not null default 0;
  `,
}
