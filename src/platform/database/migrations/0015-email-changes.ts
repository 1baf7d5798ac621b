/** Requested new addresses. They take effect when the code is sent back; see people/users/email/email-change.ts. */
export const emailChanges = {
  name: 'email-changes',
  up: `
    create table email_changes (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      login {text} not null,
      asked_at {text} not null,
      is_open integer not null
    );
    create index email_changes_by_user on email_changes (user_id, id);
  `,
}
