import { type RawBuilder, sql } from 'kysely'
import type { ViewerParams } from '../../access/visibility/visible-bugs.ts'
import { FIELD_TYPE } from '../../catalogue/fields/field.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { ViewPart } from './bug-fields.ts'

/** A part of a bug that is a list, as a JSON text. */
export interface ViewList {
  part: ViewPart
  name: string
  /** The rows that could be in the list, for lists that are usually empty and that have no bit in bugs.lists. */
  among?: RawBuilder<unknown>
  list: RawBuilder<string>
}

/** All lists of a bug. `seen` is whether the viewer may see the bug of an alias, `isShown` whether they may read a bug's number. */
export function listsOf(
  d: Dialect,
  viewer: SqlValues<ViewerParams>,
  seen: (alias: string) => RawBuilder<boolean>,
  isShown: (number: RawBuilder<unknown>) => RawBuilder<boolean>,
): ViewList[] {
  return [...nameLists(d), ...linkedBugLists(d, seen), ...userLists(d, viewer), ...recordLists(d, isShown)]
}

function nameLists(d: Dialect): ViewList[] {
  return [
    {
      part: 'aliases',
      name: 'aliases',
      list: d.jsonListOf(sql`select alias as value from bug_aliases where bug_id = bugs.id order by bug_aliases.id`),
    },
    {
      part: 'keywords',
      name: 'keywords',
      list: d.jsonListOf(sql`select keywords.name as value from bug_keywords join keywords on keywords.id = bug_keywords.keyword_id
        where bug_keywords.bug_id = bugs.id order by keywords.name_key`),
    },
    {
      part: 'codeStates',
      name: 'code_state',
      among: sql`code_links where code_links.bug_id = bugs.id`,
      list: d.jsonListOf(sql`select distinct code_changes.state as value from code_links join code_changes on code_changes.id = code_links.change_id
        where code_links.bug_id = bugs.id order by code_changes.state`),
    },
    {
      part: 'groups',
      name: 'groups',
      list: d.jsonListOf(sql`select groups.name as value from bug_groups join groups on groups.id = bug_groups.group_id
        where bug_groups.bug_id = bugs.id order by groups.name_key`),
    },
  ]
}

/** Only bugs that the viewer may see are in them. */
function linkedBugLists(d: Dialect, seen: (alias: string) => RawBuilder<boolean>): ViewList[] {
  return [
    {
      part: 'dependsOn',
      name: 'depends_on',
      list: d.jsonListOf(sql`select other.id as value from bug_dependencies join bugs as other on other.id = bug_dependencies.depends_on_id
        where bug_dependencies.blocked_id = bugs.id and ${seen('other')} order by bug_dependencies.depends_on_id`),
    },
    {
      part: 'blocks',
      name: 'blocks',
      list: d.jsonListOf(sql`select other.id as value from bug_dependencies join bugs as other on other.id = bug_dependencies.blocked_id
        where bug_dependencies.depends_on_id = bugs.id and ${seen('other')} order by bug_dependencies.blocked_id`),
    },
    {
      part: 'duplicates',
      name: 'duplicates',
      among: sql`bugs as other where other.dupe_of_id = bugs.id`,
      list: d.jsonListOf(
        sql`select other.id as value from bugs as other where other.dupe_of_id = bugs.id and ${seen('other')} order by other.id`,
      ),
    },
    {
      part: 'seeAlso',
      name: 'see_also',
      list: d.jsonListOf(sql`select bug_see_also.url as value from bug_see_also
        left join bugs as other on other.id = bug_see_also.local_bug_id
        where bug_see_also.bug_id = bugs.id and (bug_see_also.local_bug_id is null or ${seen('other')}) order by bug_see_also.id`),
    },
  ]
}

function userLists(d: Dialect, viewer: SqlValues<ViewerParams>): ViewList[] {
  return [
    {
      part: 'tags',
      name: 'tags',
      among: sql`bug_tags where bug_tags.bug_id = bugs.id`,
      list: d.jsonListOf(
        sql`select tag as value from bug_tags where bug_tags.bug_id = bugs.id and bug_tags.user_id = ${viewer.viewerId} order by tag`,
      ),
    },
    {
      part: 'cc',
      name: 'cc',
      list: d.jsonListOf(sql`select user_id as value from bug_cc where bug_cc.bug_id = bugs.id`),
    },
  ]
}

function recordLists(d: Dialect, isShown: (number: RawBuilder<unknown>) => RawBuilder<boolean>): ViewList[] {
  return [
    {
      part: 'flags',
      name: 'flags',
      list: d.jsonObjectsOf(
        sql`select flags.id, flag_types.name, flags.type_id, flags.status, setter.login as setter, requestee.login as requestee,
            flags.created_at, flags.modified_at
          from flags join flag_types on flag_types.id = flags.type_id join users as setter on setter.id = flags.setter_id
          left join users as requestee on requestee.id = flags.requestee_id
          where flags.bug_id = bugs.id and flags.attachment_id is null order by flag_types.sort_key, flag_types.name_key, flags.id`,
        ['id', 'name', 'type_id', 'status', 'setter', 'requestee', 'created_at', 'modified_at'],
      ),
    },
    {
      part: 'custom',
      name: 'custom',
      list: d.jsonObjectsOf(
        sql`select field_id, text_value, case
            when (select fields.type from fields where fields.id = bug_custom_values.field_id) <> ${sql.lit(FIELD_TYPE.bugId)}
              or ${isShown(sql`bug_custom_values.number_value`)}
            then number_value end as number_value
          from bug_custom_values where bug_custom_values.bug_id = bugs.id order by bug_custom_values.id`,
        ['field_id', 'text_value', 'number_value'],
      ),
    },
  ]
}

export function peopleOnCc(d: Dialect) {
  const people = sql`select users.id, users.login, users.real_name, users.nick from bug_cc join users on users.id = bug_cc.user_id
    where bug_cc.bug_id = bugs.id`
  return d.jsonObjectsOf(people, ['id', 'login', 'real_name', 'nick'])
}
