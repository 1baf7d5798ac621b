import { sql } from 'kysely'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold, sameAs } from '../../platform/text/fold.ts'
import { type Condition, type Sql, withSubquery } from '../conditions/condition.ts'
import { isOneOf } from '../conditions/conditions.ts'
import type { SearchContext } from '../search-context.ts'

/** Whether the text stands for users instead of naming one: `%user%`, `%assignee%`, `%group.editbugs%` … */
export function isPronoun(text: string) {
  return /^%(?:[^%\s]+|group\.[^%]+)%$/i.test(text.trim())
}

/** Whether the pronoun stands for a different user on each bug. */
export function dependsOnBug(pronoun: string) {
  return Object.hasOwn(ROLES, bare(pronoun))
}

/** Whether the id is of a user that the pronoun stands for. */
export function matchesPronoun(context: SearchContext, id: Sql, pronoun: string): Condition {
  const name = bare(pronoun)
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
  if (role !== undefined) return sql`${id} = ${role}`
  if (name === 'user') return sql`${id} = ${requireLogin(context.caller).id}`
  if (name.startsWith('group.'))
    return withSubquery(sql`${id} in ${membersOf(context, pronoun.trim().slice('%group.'.length, -1))}`)
  throw errors.no_such_pronoun({ pronoun, known: PRONOUNS })
}

function bare(pronoun: string) {
  return fold(pronoun.trim().slice(1, -1))
}

const ROLES: Readonly<Record<string, Sql>> = dictionary({
  reporter: sql`bugs.creator_id`,
  assignee: sql`bugs.assigned_to_id`,
  qacontact: sql`bugs.qa_contact_id`,
})

const PRONOUNS = '%user%, %reporter%, %assignee%, %qacontact% and %group.NAME%'

/** All members of the group, also through other groups. Callers who are not members do not learn whether the group exists. */
function membersOf({ caller, groups }: SearchContext, name: string): Sql {
  const isNamed = sameAs(name)
  const group = caller.groups.list.find((own) => isNamed(own.name))
  if (group === undefined) throw errors.group_not_yours({ ref: name })
  const sources = isOneOf(sql`user_group_grants.group_id`, [...groups.sourcesOf(group.id)])
  return sql`(select user_group_grants.user_id from user_group_grants
    where ${sql.ref('user_group_grants.right')} = 'member' and ${sources})`
}
