/** Earlier versions of edited comments, reactions to comments, comments that are marked as answers, and bugs with restricted comments. */
export const commentEdits = {
  name: 'comment-edits',
  oldestWriter: '6.0.0',
  up: `
    alter table bugs add column restrict_comments integer not null default 0;
    alter table comments add column edit_count integer not null default 0;
    alter table comments add column edited_at {text};
    alter table comments add column has_reactions integer not null default 0;
    alter table comments add column is_answer integer not null default 0;

    create table comment_versions (
      id {id},
      comment_id integer not null references comments (id) on delete cascade,
      text {text} not null,
      is_markdown integer not null,
      user_id integer not null references users (id),
      at {text} not null,
      is_hidden integer not null default 0
    );
    create index comment_versions_by_comment on comment_versions (comment_id, id);
    create index comment_versions_by_user on comment_versions (user_id, at);

    create table comment_reactions (
      id {id},
      comment_id integer not null references comments (id) on delete cascade,
      name {text} not null,
      user_id integer not null references users (id) on delete cascade,
      unique (comment_id, name, user_id)
    );
    create index comment_reactions_by_user on comment_reactions (user_id);
    create index comments_that_answer on comments (bug_id) where is_answer = 1;
  `,
}
