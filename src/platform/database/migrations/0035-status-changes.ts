/** An index of the changes of status alone, so that reports over time read nothing else of the history. */
export const statusChanges = {
  name: 'status-changes',
  oldestWriter: '6.0.0',
  up: `create index bug_changes_of_status on bug_changes (bug_id, field, id, at, removed, added) where field = 'status';`,
}
