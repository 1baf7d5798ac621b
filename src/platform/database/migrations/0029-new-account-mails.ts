/** How many messages the changes of a new account have caused on a day; see outbound/mail/sending/new-account-mail.ts. */
export const newAccountMails = {
  name: 'new-account-mails',
  up: `
    create table new_account_mails (
      user_id integer primary key references users (id) on delete cascade,
      on_day {text} not null,
      message_count integer not null
    );
  `,
}
