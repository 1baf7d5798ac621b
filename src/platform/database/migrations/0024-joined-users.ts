/** When users created their own account; null for accounts that an administrator created. New ones are limited for some days. */
export const joinedUsers = {
  name: 'joined-users',
  up: `
    alter table users add column joined_at {text};
  `,
}
