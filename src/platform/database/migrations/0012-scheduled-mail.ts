export const scheduledMail = {
  name: 'scheduled-mail',
  up: `
    create table scheduled_mails (
      id {id},
      user_id integer not null references users (id) on delete cascade,
      subject {text} not null,
      body {text} not null,
      is_sent_empty integer not null
    );
    create index scheduled_mails_by_user on scheduled_mails (user_id, id);

    create table scheduled_mail_searches (
      id {id},
      mail_id integer not null references scheduled_mails (id) on delete cascade,
      search_id integer not null references saved_searches (id),
      title {text} not null,
      is_mail_per_bug integer not null
    );
    create index scheduled_mail_searches_by_mail on scheduled_mail_searches (mail_id, id);
    create index scheduled_mail_searches_by_search on scheduled_mail_searches (search_id);

    create table scheduled_mail_times (
      id {id},
      mail_id integer not null references scheduled_mails (id) on delete cascade,
      day {text} not null,
      time {text} not null,
      to_user_id integer references users (id) on delete cascade,
      to_group_id integer references groups (id) on delete cascade,
      next_at {text} not null
    );
    create index scheduled_mail_times_by_mail on scheduled_mail_times (mail_id, id);
    create index scheduled_mail_times_by_time on scheduled_mail_times (next_at);
  `,
}
