/** Comments in Markdown. All older comments are plain text. */
export const markdownComments = {
  name: 'markdown-comments',
  up: `
    alter table comments add column is_markdown integer not null default 0;
  `,
}
