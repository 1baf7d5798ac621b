export const incomingMail = {
  name: 'incoming-mail',
  up: `
    create table mail_addresses (
      user_id integer primary key references users (id) on delete cascade,
      generation integer not null
    );

    create table incoming_messages (
      message_digest {text} primary key,
      user_id integer not null references users (id) on delete cascade,
      bug_id integer not null,
      at {text} not null
    );
    create index incoming_messages_by_user on incoming_messages (user_id, at);
  `,
}
