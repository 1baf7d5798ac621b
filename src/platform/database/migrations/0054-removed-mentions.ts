/** A mention that an edit took out of a comment stays, so that the person is not notified again when it comes back. */
export const removedMentions = {
  name: 'removed-mentions',
  oldestWriter: '6.0.0',
  up: `
    alter table comment_mentions add column is_removed integer not null default 0;
  `,
}
