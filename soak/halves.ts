import { WRONG_LISTS } from '../src/platform/database/bug-lists.ts'

/** What an incomplete write would leave behind. Each query returns the rows that should not exist. */
export const halves: readonly { says: string; sql: string }[] = [
  {
    says: 'a bug without its description',
    sql: `select id from bugs where not exists (select 1 from comments where bug_id = bugs.id and number = 0)`,
  },
  {
    says: 'a bug without the event of its creation',
    sql: `select id from bugs where not exists (select 1 from outbox where bug_id = bugs.id and kind = 'bug.create')`,
  },
  {
    says: 'a bug without the alias that it was filed with',
    sql: `select id from bugs where not exists (select 1 from bug_aliases where bug_id = bugs.id)`,
  },
  {
    says: 'a bug without the people it was filed with',
    sql: `select id from bugs where not exists (select 1 from bug_cc where bug_id = bugs.id)`,
  },
  {
    says: 'a bug that was filed twice',
    sql: `select summary from bugs group by summary having count(*) > 1`,
  },
  {
    says: 'a gap in the numbers of comments',
    sql: `select bug_id from comments group by bug_id having max(number) <> count(*) - 1`,
  },
  {
    says: 'an attachment without its comment',
    sql: `select id from attachments where not exists
      (select 1 from comments where kind = 5 and about_id = attachments.id and bug_id = attachments.bug_id)`,
  },
  {
    says: 'a comment about an attachment that is not there',
    sql: `select id from comments where kind = 5 and not exists (select 1 from attachments where id = comments.about_id)`,
  },
  {
    says: 'a comment or attachment without its event',
    sql: `select id from comments where number > 0 and not exists
      (select 1 from outbox where bug_id = comments.bug_id and at = comments.at)`,
  },
  {
    says: 'history without its event',
    sql: `select id from bug_changes where not exists
      (select 1 from outbox where bug_id = bug_changes.bug_id and at = bug_changes.at and user_id = bug_changes.user_id)`,
  },
  {
    says: 'a change without the comment that came with it',
    sql: `select id from bug_changes where field = 'whiteboard' and not exists
      (select 1 from comments where bug_id = bug_changes.bug_id and text = 'said with ' || bug_changes.added)`,
  },
  {
    says: 'a comment without the change that came with it',
    sql: `select id from comments where text like 'said with %' and not exists
      (select 1 from bug_changes where bug_id = comments.bug_id and 'said with ' || added = comments.text)`,
  },
  {
    says: 'a duplicate that is not resolved as one, or the other way round',
    sql: `select bugs.id from bugs join field_values on field_values.id = resolution_id
      where (dupe_of_id is not null) <> (field_values.name = 'DUPLICATE')`,
  },
  {
    says: 'a duplicate of which one of the two does not tell',
    sql: `select id from bugs where dupe_of_id is not null and not (
      exists (select 1 from comments where bug_id = bugs.id and kind = 1 and about_id = bugs.dupe_of_id)
      and exists (select 1 from comments where bug_id = bugs.dupe_of_id and kind = 2 and about_id = bugs.id))`,
  },
  {
    says: 'an open bug with a resolution, or a closed one without',
    sql: `select bugs.id from bugs join field_values as status on status.id = status_id
      join field_values as resolution on resolution.id = resolution_id where (status.is_open = 1) <> (resolution.name = '')`,
  },
  {
    says: 'a dependency of which the history of the other bug does not tell',
    sql: `select blocked_id, depends_on_id from bug_dependencies where not exists
      (select 1 from bug_changes where bug_id = depends_on_id and field = 'blocks' and added = cast(blocked_id as text))`,
  },
  {
    says: 'history of a dependency that is not there',
    sql: `select id from bug_changes where (field = 'blocks' and not exists
        (select 1 from bug_dependencies where depends_on_id = bug_changes.bug_id and cast(blocked_id as text) = added))
      or (field = 'depends_on' and not exists
        (select 1 from bug_dependencies where blocked_id = bug_changes.bug_id and cast(depends_on_id as text) = added))`,
  },
  {
    says: 'hours that are not the sum of the comments',
    sql: `select id from bugs where actual_hundredths <> (select sum(work_hundredths) from comments where bug_id = bugs.id)`,
  },
  {
    says: 'a bug that does not say which lists it has something in',
    sql: WRONG_LISTS,
  },
  {
    says: 'a request that stays under way for ever',
    sql: `select idempotency_key from idempotent_replies where status = 0`,
  },
  {
    says: 'history that is not one line of changes of the whiteboard',
    sql: brokenChain('whiteboard', 'bugs.whiteboard'),
  },
  {
    says: 'history that is not one line of changes of the priority',
    sql: brokenChain('priority', nameOf('priority_id')),
  },
  { says: 'history that is not one line of changes of the status', sql: brokenChain('status', nameOf('status_id')) },
  {
    says: 'history that is not one line of changes of the resolution',
    sql: brokenChain('resolution', nameOf('resolution_id')),
  },
]

function nameOf(column: string) {
  return `(select name from field_values where field_values.id = bugs.${column})`
}

/** Each change begins where the one before ended, and the bug is as the last one left it. */
function brokenChain(field: string, now: string) {
  const lines = `select bug_id, removed, added, lag(added) over lines as before, lead(id) over lines as later
    from bug_changes where field = '${field}' window lines as (partition by bug_id order by id)`
  return `select bugs.id from (${lines}) as changes join bugs on bugs.id = changes.bug_id
    where removed <> coalesce(before, removed) or (later is null and added <> ${now})`
}
