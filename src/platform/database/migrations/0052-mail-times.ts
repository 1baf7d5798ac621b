/** When mail about bugs is sent to users: their time zone, a daily digest, quiet hours, and how long it waits for them to see a bug. */
export const mailTimes = {
  name: 'mail-times',
  oldestWriter: '6.0.0',
  up: `
    create table mail_times (
      user_id integer primary key references users (id) on delete cascade,
      zone {text} not null,
      digest_at integer,
      quiet_from integer,
      quiet_to integer,
      are_weekends_quiet integer not null,
      unseen_minutes integer not null
    );
  `,
}
