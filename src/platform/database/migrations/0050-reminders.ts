/** Reminders that users write to themselves, and requests whose daily reminder they defer. */
export const reminders = {
  name: 'reminders',
  oldestWriter: '6.0.0',
  up: `
    create table reminders (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null references bugs (id) on delete cascade,
      note {text} not null,
      remind_on {text} not null,
      created_at {text} not null,
      sent_at {text}
    );
    create index reminders_by_user on reminders (user_id, id);
    create index reminders_by_bug on reminders (bug_id);
    create index reminders_to_send on reminders (remind_on, id) where sent_at is null;
    create table deferred_requests (
      flag_id integer primary key references flags (id) on delete cascade,
      user_id integer not null references users (id) on delete cascade,
      flag_changed_at {text} not null,
      deferred_until {text} not null
    );
    create index deferred_requests_by_user on deferred_requests (user_id);
  `,
}
