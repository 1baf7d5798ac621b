import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireLogin, requireUnlimited } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { readListPage } from '../../platform/wire/list-page.ts'
import { updated } from '../../platform/wire/openapi/schemas.ts'
import { integer, required, text, texts } from '../../platform/wire/params.ts'
import { changeMembers } from './change-members.ts'
import { MEMBER_WAYS, readMembers, tryPattern } from './group-members.ts'

const resource = 'group'
const pathParams = { ref: 'Id or name of a group.' }
const MOST_MEMBERS = 1000
const USUAL_MEMBERS = 100
const MOST_CHANGED = 100
const Count = Type.Integer({ minimum: 0 })

const getMembers = call({
  method: 'GET',
  path: '/group/:ref/members',
  pathParams,
  resource,
  summary: 'List the members of a group, with what makes them members.',
  about: 'For members of creategroups, and for users who may choose the members. Ordered by login name.',
  params: {
    limit: integer(`Maximum number of members; at most ${MOST_MEMBERS}, ${USUAL_MEMBERS} by default.`),
    offset: integer('Number of members to skip.'),
    way: text('Only those who are in it this way: direct, matched (by its pattern or a provider), or inherited.'),
  },
  answers: Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'How many there are; with way, of these.' }),
      counts: Type.Object(
        { direct: Count, matched: Count, inherited: Count },
        {
          title: 'GroupMemberCounts',
          description: 'Each member once: put into it, else by its pattern or a provider, else through other groups.',
          additionalProperties: false,
        },
      ),
      members: Type.Array(
        Type.Object(
          {
            id: Type.Integer(),
            name: Type.String({ description: 'Login name.' }),
            real_name: Type.String(),
            can_login: Type.Boolean(),
            sources: Type.Array(
              Type.Object(
                {
                  kind: Type.Union([Type.Literal('direct'), Type.Literal('regexp'), Type.Literal('provider')]),
                  group: Type.String({ description: 'This group, or one whose members belong to it.' }),
                },
                { additionalProperties: false },
              ),
            ),
          },
          { title: 'GroupMemberWithSources', additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  scope: 'admin',
  run(context) {
    const { way: asked = '' } = context.params
    const way = MEMBER_WAYS.find((it) => it === asked)
    if (way === undefined && asked !== '')
      throw errors.bad_value({ name: 'way', value: asked, right: `it must be ${MEMBER_WAYS.join(', ')}` })
    const page = readListPage(context.params, { usual: USUAL_MEMBERS, most: MOST_MEMBERS })
    return readMembers(context, context.path.ref ?? '', { ...page, way })
  },
})

const getPatternMatches = call({
  method: 'GET',
  path: '/group/:ref/matching',
  pathParams,
  resource,
  summary: 'Try a regular expression: whom it would make members of a group, and who would leave.',
  about: 'For members of creategroups who may decide who is in the group. Changes nothing.',
  params: { user_regexp: required(text('The regular expression; empty matches no user.')) },
  answers: Type.Object(
    {
      users: Type.Integer({ minimum: 0, description: 'How many accounts there are.' }),
      matching: Count,
      joining: Count,
      leaving: Count,
      joining_names: Type.Array(Type.String(), { description: 'Login names, at most 50.' }),
      leaving_names: Type.Array(Type.String(), { description: 'Login names, at most 50.' }),
    },
    { title: 'PatternMatches', additionalProperties: false },
  ),
  scope: 'admin',
  run: (context) => tryPattern(context, context.path.ref ?? '', context.params.user_regexp.trim()),
})

const putMembers = call({
  method: 'PUT',
  path: '/group/:ref/members',
  pathParams,
  resource,
  summary: 'Choose the members of a group.',
  about:
    'For users who may choose the members (who bless the group), and for members of editusers. Either all users are changed, or none.',
  params: {
    add: texts('Login names of users to put into the group.', MOST_CHANGED),
    remove: texts('Login names of users to take out of it.', MOST_CHANGED),
  },
  unknownParams: 'refused',
  answers: updated('users'),
  scope: 'admin',
  async run(context) {
    const { caller, path, params } = context
    const editor = requireLogin(caller)
    const { add = [], remove = [] } = params
    requireRecentProof(context)
    if (add.length > 0) requireUnlimited(caller, 'give rights')
    return { users: await changeMembers(context, editor.id, path.ref ?? '', { add, remove }) }
  },
})

export const groupMemberRoutes = [getMembers, putMembers, getPatternMatches] as const
