/** Whom the text of a comment mentions. Comments that were written before mention nobody. */
export const mentions = {
  name: 'mentions',
  oldestWriter: '6.0.0',
  up: `
    alter table comments add column has_mentions integer not null default 0;
    create table comment_mentions (
      comment_id integer not null references comments (id) on delete cascade,
      nick {text} not null,
      user_id integer not null references users (id),
      author_id integer not null references users (id),
      at {text} not null,
      primary key (comment_id, nick)
    );
    create index comment_mentions_of_user on comment_mentions (user_id, comment_id);
    create index comment_mentions_of_author on comment_mentions (author_id, at);
  `,
}
