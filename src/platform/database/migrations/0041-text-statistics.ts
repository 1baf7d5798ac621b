/**
 * On PostgreSQL, its planner estimates how many bugs have a part of a text, which needs finer statistics, and an index finds parts of aliases.
 */
export const textStatistics = {
  name: 'text-statistics',
  oldestWriter: '6.0.0',
  up: '',
  postgres: `
    create index bug_aliases_by_part on bug_aliases using gin (alias_key gin_trgm_ops);
    alter table bugs alter column summary_key set statistics 1000;
    alter table bugs alter column whiteboard_key set statistics 1000;
    analyze bugs (summary_key, whiteboard_key);
  `,
}
