import { Type } from '@sinclair/typebox'
import { nickFrom, nickSkeleton } from '../../../../shared/nicks.ts'
import { MOST_MENTIONS } from '../../../../shared/text/mentions.ts'
import { call } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { isInsider } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { errors } from '../../../platform/errors.ts'
import { documentedAsRequired, flag, texts } from '../../../platform/wire/params.ts'
import { requireVisibleBugs } from '../../values/bug-refs.ts'
import { askedNames } from './asked-names.ts'
import { readableBy, usersNamed } from './readers.ts'

const Reader = Type.Object(
  {
    nick: Type.String({ description: 'As it was given.' }),
    id: Type.Integer(),
    name: Type.String(),
    real_name: Type.String(),
    may_read: Type.Boolean(),
  },
  { title: 'Reader', additionalProperties: false },
)

export const getReaders = call({
  method: 'GET',
  path: '/bug/:ref/readers',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource: 'comment',
  summary: 'Ask whether people may read a bug, or private comments on it.',
  about:
    'Before they are mentioned. For callers who are logged in and see the bug, who can ask about 200 different people in an hour. Nicks that belong to nobody, to disabled accounts or to users whom the caller may not find are left out.',
  params: {
    nicks: documentedAsRequired(texts(`Nicks, at most ${MOST_MENTIONS}.`, MOST_MENTIONS)),
    is_private: flag('Whether they may read private comments on it. Only insiders may ask.'),
  },
  answers: Type.Object({ users: Type.Array(Reader) }, { additionalProperties: false }),
  scope: 'read',
  async run(context) {
    const { db, caller, settings, path, params } = context
    const { id: callerId } = requireLogin(caller)
    const { nicks = [], is_private: isPrivate = false } = params
    if (nicks.length === 0) throw errors.parameter_required({ name: 'nicks' })
    const [bugId] = await requireVisibleBugs(db, settings, viewerOf(caller), [path.ref ?? ''])
    if (isPrivate && !isInsider(caller, settings)) throw errors.not_an_insider()
    context.serverParts.get(askedNames).count(
      callerId,
      nicks.map((nick) => nickSkeleton(nickFrom(nick))),
    )
    const named = await usersNamed(db, context, nicks)
    const users = [...new Map(named.map(({ user }) => [user.id, user])).values()]
    const bugIds = bugId === undefined ? [] : [bugId]
    const readable = await readableBy(db, context, users, { bugIds, isPrivate })
    return {
      users: named.map(({ nick, user: { id, login, real_name } }) => ({
        ...{ nick, id, name: login, real_name },
        may_read: (readable.get(id)?.size ?? 0) > 0,
      })),
    }
  },
})
