/** The oldest release that may still write to the database; see migrate.ts and access/installation.ts. */
export const oldestWriter = {
  name: 'oldest-writer',
  oldestWriter: '6.0.0',
  up: `alter table state_versions add column oldest_writer {text} not null default '6.0.0';`,
}
