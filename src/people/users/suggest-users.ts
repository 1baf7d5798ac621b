import { Type } from '@sinclair/typebox'
import { nickFrom } from '../../../shared/nicks.ts'
import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { documentedAsRequired, text } from '../../platform/wire/params.ts'
import { absentAmong } from '../absences/absence-store.ts'
import { groupsSeenThrough } from '../bless.ts'
import { isTooShortToMatch, matchUsers } from './match-users.ts'
import { findUserIdsByNicks } from './nick-store.ts'
import { nickOf } from './user.ts'
import { Suggestion } from './user-schema.ts'
import type { UserRow } from './user-store.ts'

const MOST_SUGGESTIONS = 25

export const suggest = call({
  method: 'GET',
  path: '/user/suggest',
  resource: 'user',
  summary: 'Suggest users while typing.',
  about: `At most ${MOST_SUGGESTIONS}: exact matches first, then names that begin with the text, each the most recently active first. Text that begins with @ or : is the beginning of a nick, or a whole nick that the user had before. Fewer than three characters return no users.`,
  params: { match: documentedAsRequired(text('Part of a login, a real name or a nick.')) },
  answers: Type.Object({ users: Type.Array(Suggestion) }, { additionalProperties: false }),
  scope: 'read',
  async run({ db, request, caller, groups, settings, params }) {
    const signedIn = requireLogin(caller)
    const { match } = params
    if (match === undefined || match === '') throw errors.parameter_required({ name: 'match' })
    if (isTooShortToMatch(match.replaceAll('*', '').trim())) return { users: [] }
    const nick = /^\s*[:@]([^@]*)$/.exec(match)?.[1]
    const read = db.within(request.readLimits)
    const found = await matchUsers(read, nick === undefined ? match.replace(/^\s*[:@]/, '') : nickFrom(nick), {
      ...(nick !== undefined && { withNick: [...(await findUserIdsByNicks(db, [nick])).values()] }),
      memberOfAny: undefined,
      seenThrough: groupsSeenThrough(groups, settings, signedIn),
      callerId: signedIn.id,
      includesDisabled: false,
      limit: MOST_SUGGESTIONS,
      order: 'activity',
    })
    const enabled = found.filter((user) => user.disabled_text === '')
    const absences = await absentAmong(
      db,
      enabled.map(({ id }) => id),
      timeNow(),
    )
    return { users: enabled.map((user) => suggestionOf(user, absences.get(user.id)?.ends_at)) }
  },
})

function suggestionOf(user: UserRow, awayUntil: string | undefined) {
  const { id, login, real_name } = user
  return { id, name: login, real_name, nick: nickOf(user), ...(awayUntil !== undefined && { away_until: awayUntil }) }
}
