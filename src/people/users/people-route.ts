import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireGroup } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { readListPage } from '../../platform/wire/list-page.ts'
import { flag, integer, text } from '../../platform/wire/params.ts'
import { listPeople, SOURCES } from './list-people.ts'
import { nickOf } from './user.ts'
import { Nick } from './user-schema.ts'

const MOST_PEOPLE = 200
const USUAL_PEOPLE = 50

const Account = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Login name.' }),
    real_name: Type.String(),
    nick: Nick,
    can_login: Type.Boolean(),
    login_denied_text: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_seen: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The last day on which the user used the tracker.',
    }),
    has_factor: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the user has a second factor; null for callers outside of admin.',
    }),
    groups: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          description: Type.String(),
          source: Type.Union(
            SOURCES.map((source) => Type.Literal(source)),
            { description: 'Given by hand, by user_regexp, by an identity provider, or through another group.' },
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'Account', additionalProperties: false },
)

export const getPeople = call({
  method: 'GET',
  path: '/admin/people',
  resource: 'user',
  summary: 'List accounts with what an administrator needs to know about each.',
  about: `For members of editusers. The one whose id or login name is the text comes first, then those who were seen last. At most ${MOST_PEOPLE}, ${USUAL_PEOPLE} by default.`,
  params: {
    text: text('Only accounts whose login or real name contains this, or whose id it is.'),
    is_enabled: flag('Only accounts that can log in, or only disabled ones.'),
    has_factor: flag('Only accounts with a second factor, or only those without. For members of admin.'),
    group: text('Only members of the group with this name, also by user_regexp or through another group.'),
    limit: integer(`Maximum number of accounts; at most ${MOST_PEOPLE}.`),
    offset: integer('Number of accounts to skip.'),
  },
  answers: Type.Object({ total: Type.Integer(), people: Type.Array(Account) }, { additionalProperties: false }),
  scope: 'admin',
  async run(context) {
    const { db, request, caller, groups, params } = context
    requireGroup(caller, 'editusers')
    const isAdmin = isIn(caller, 'admin')
    // Who has no second factor would tell which account is worth attacking.
    if (params.has_factor !== undefined) requireGroup(caller, 'admin')
    const page = readListPage(params, { usual: USUAL_PEOPLE, most: MOST_PEOPLE })
    const { total, people } = await listPeople(
      db.within(request.readLimits),
      groups,
      {
        text: params.text ?? '',
        isEnabled: params.is_enabled,
        hasFactor: params.has_factor,
        memberOfAny: membersOf(context, params.group),
      },
      page,
    )
    return {
      total,
      people: people.map((row) => ({
        id: row.id,
        name: row.login,
        real_name: row.real_name,
        nick: nickOf(row),
        can_login: row.disabled_text === '',
        login_denied_text: row.disabled_text,
        created_at: row.created_at,
        last_seen: row.last_seen_on,
        has_factor: isAdmin ? row.has_factor === 1 : null,
        groups: row.groups,
      })),
    }
  },
})

function membersOf({ groups }: CallContext, name: string | undefined) {
  if (name === undefined) return undefined
  const key = fold(name.trim())
  const group = [...groups.groups.values()].find((it) => fold(it.name) === key)
  if (group === undefined) throw errors.no_such_object({ what: 'group', ref: name })
  return groups.sourcesOf(group.id)
}
