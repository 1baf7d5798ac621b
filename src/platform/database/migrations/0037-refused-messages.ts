/** Incoming messages that were refused lately, for administrators: only when and why. */
export const refusedMessages = {
  name: 'refused-messages',
  oldestWriter: '6.0.0',
  up: `
    create table refused_messages (
      id {id},
      user_id integer references users (id) on delete cascade,
      reason {text} not null,
      at {text} not null
    );
    create index refused_messages_by_user on refused_messages (user_id);
  `,
}
