/** Since when no mail can be sent: one row while that is so. See outbound/mail/sending/watch-transport.ts. */
export const mailOutages = {
  name: 'mail-outages',
  up: `
    create table mail_outages (
      id integer primary key check (id = 1),
      since {text} not null,
      last_at {text} not null,
      error {text} not null
    );
  `,
}
