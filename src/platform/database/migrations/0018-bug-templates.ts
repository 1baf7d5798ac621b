/** The text that the description of a new bug begins with, for each product. */
export const bugTemplates = {
  name: 'bug-templates',
  up: `
    alter table products add column bug_template {text} not null default '';
  `,
}
