import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { anonymous, isIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import { bugsUnfiltered, reasonsToSee, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { getUsersByLogins, listUsersByIds, noSuchUser, type UserRow } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { editableComments } from '../comments/edits/edit-rights.ts'
import { mayTagComments } from '../comments/tags/requested-tags.ts'
import { customFieldsOf } from '../custom-values/custom-value.ts'
import { editorRightsOf } from '../editing/batch/editor-rights.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { addableGroups, explainGroups, listControlledGroups, listGroupsOfBug } from './bug-groups.ts'
import { changeableFields, mayChange, permissionFor } from './bug-permissions.ts'

/** Explains rule by rule why a user may or may not see and change a bug. Only members of editusers may ask about other users. */
export async function explainAccess(context: CallContext, ref: string, user: string | undefined) {
  const { db, settings, catalogue } = context
  const caller = requireLogin(context.caller)
  const [id] = await requireVisibleBugs(db, settings, viewerOf(caller), [ref])
  const bugId = id as number
  const person = await personFor(context, caller, user)
  const see = await reasonsFor(db, settings, person, bugId)
  const isSeen = see.some(({ holds }) => holds)
  const found = (await editorRightsOf(db, { editor: person, settings }, [bugId])).get(bugId)
  // The bug was deleted a moment ago.
  if (found === undefined) throw errors.no_such_bug({ ref })
  const { rights, isEditable } = found
  const isAllowed = isSeen && isEditable
  const names = [...changeableFields, ...customFieldsOf(await catalogue(keptFields)).map(({ name }) => name)]
  const fields = names.map((name) => {
    return [name, { allowed: isAllowed && mayChange(rights, name), rule: permissionFor(name).need }]
  })
  return {
    id: bugId,
    user: person.login,
    see: { allowed: isSeen, rules: see.map(({ says, holds }) => ({ rule: says, holds })) },
    edit: {
      allowed: isAllowed,
      rules: [
        { rule: 'The user can see the bug.', holds: isSeen },
        { rule: 'The group controls of its product let the user change bugs.', holds: isEditable },
      ],
    },
    fields: {
      ...Object.fromEntries(fields),
      attachments: { allowed: isAllowed && rights.hasEditbugs, rule: ATTACHMENTS_NEED },
      answer: { allowed: isAllowed && rights.hasEditbugs, rule: ANSWERS_NEED },
      comment_tags: { allowed: isSeen && mayTagComments({ caller: person, settings }), rule: TAGS_NEED },
    },
    edit_comments: editableComments({ caller: person, settings }, rights, isAllowed),
    ...(await groupsFor(db, person, bugId, found.product.id, isAllowed)),
  }
}

const ATTACHMENTS_NEED =
  'it needs editbugs in the product, or to have attached the file; setters and requestees may change their own flags'
const ANSWERS_NEED = 'it needs editbugs in the product'
const TAGS_NEED = 'it needs membership in the group of the parameter comment_taggers_group'

async function groupsFor(db: Db, person: SignedIn, bugId: number, productId: number, mayEdit: boolean) {
  const controlled = await listControlledGroups(db, productId)
  const current = await listGroupsOfBug(db, bugId)
  const groups = explainGroups(controlled, person.groups, current)
  return {
    groups: groups.map((group) => ({ ...group, can_remove: group.can_remove && mayEdit })),
    addable_groups: mayEdit ? addableGroups(controlled, person.groups, current) : [],
  }
}

/** The user in question, as a caller. */
async function personFor({ db, groups }: CallContext, caller: SignedIn, user: string | undefined): Promise<SignedIn> {
  const isSelf = user === undefined || fold(user.trim()) === fold(caller.login) || idIn(user) === caller.id
  if (isSelf) return caller
  if (!isIn(caller, 'editusers'))
    throw errors.not_allowed({ need: 'to ask about other users needs membership in editusers' })
  const found = await userOf(db, user)
  return { ...anonymous, id: found.id, login: found.login, groups: groups.membership(JSON.parse(found.group_ids)) }
}

async function userOf(db: Db, ref: string): Promise<UserRow> {
  const id = idIn(ref)
  const [user] = id === undefined ? await getUsersByLogins(db, [ref]) : await listUsersByIds(db, [id])
  return user ?? noSuchUser(ref)
}

async function reasonsFor(db: Db, settings: Settings, person: SignedIn, bugId: number) {
  const viewer = viewerOf(person)
  const [row] = await db.query((q, d) =>
    bugsUnfiltered(q, 'The caller sees the bug; the question is why another user does or does not.')
      .select(
        reasonsToSee(d, settings, viewer).map(({ holds }, index) =>
          sql<0 | 1>`case when ${holds} then 1 else 0 end`.as(`reason${index}`),
        ),
      )
      .where('bugs.id', '=', bugId),
  )
  const answers = { ...row } as Record<string, 0 | 1>
  return reasonsToSee(db.dialect, settings, viewer).map(({ says }, index) => ({
    says,
    holds: answers[`reason${index}`] === 1,
  }))
}
