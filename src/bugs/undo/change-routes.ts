import { CHANGE_SOURCES, type ChangeSourceKind } from '../../../shared/change-sources.ts'
import { type CallContext, call } from '../../access/call.ts'
import { isIn, requireLogin } from '../../access/caller.ts'
import { changeSource } from '../../access/change-source.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { presentSource } from '../../changes/change-json.ts'
import { historyReader } from '../../changes/readable-history.ts'
import { getUsersByLogins } from '../../people/users/user-store.ts'
import { errors } from '../../platform/errors.ts'
import { LATEST_TIME } from '../../platform/time/clock.ts'
import { flag, integer, naturals, required, text, time } from '../../platform/wire/params.ts'
import { clampedId } from '../../platform/wire/reference.ts'
import { entriesInSlices } from '../history/history.ts'
import { Change, UndoOfManyResult, UndoResult } from './change-schema.ts'
import { countBugsOfChange, type MadeBy, ownerOfKey } from './change-store.ts'
import { planKept } from './plan-undo.ts'
import { getVisibleChange, readParts } from './read-changes.ts'
import { type UndoRequest, undoChange, undoChangesBy } from './undo-changes.ts'

const resource = 'change'
const MOST_BUGS = 100
const USUAL_BUGS = 50

const getChange = call({
  method: 'GET',
  path: '/change/:id',
  pathParams: { id: 'Number of a change, from a history.' },
  resource,
  summary: 'Get what one change did.',
  about: `One call makes one change, also of many bugs. Returns what the caller may see of it. A change of which they may see nothing does not exist for them.`,
  params: {
    after: integer('Only bugs with a larger number.'),
    limit: integer(`Maximum number of bugs; at most ${MOST_BUGS}, ${USUAL_BUGS} by default.`),
  },
  answers: Change,
  scope: 'read',
  async run(context) {
    const { db, settings, caller, params } = context
    const change = await getVisibleChange(context, context.path.id ?? '')
    const { parts, next } = await readParts(context, change, afterIn(params.after), limitIn(params.limit))
    const bugs = []
    for (const { bugId, own, comments } of parts) {
      const [entry] = await entriesInSlices(own.map((line) => ({ ...line, at: change.at, who: '' })))
      bugs.push({ id: bugId, changes: entry?.changes ?? [], kept: [...comments, ...planKept(own)] })
    }
    return {
      ...{
        id: change.id,
        when: change.at,
        who: loginFor(change.who ?? '', context),
        source: presentSource(caller, change),
      },
      ...(change.undoes_id !== null && { undoes: change.undoes_id }),
      total: await countBugsOfChange(db, settings, historyReader(context), change.id),
      bugs,
      next: next ?? null,
    }
  },
})

const undoParams = {
  dry_run: flag('Return what would be done without doing it.'),
  comment: text('Comment on each bug that is changed.'),
  after: text('The value of `next` in the response of an earlier call, to go on.'),
  limit: integer(`Maximum number of bugs; at most ${MOST_BUGS}, ${USUAL_BUGS} by default.`),
}

const undoOne = call({
  method: 'POST',
  idempotency: 'repeatable',
  path: '/change/:id/undo',
  pathParams: { id: 'Number of a change.' },
  resource,
  summary: 'Undo a change.',
  about:
    'Changes the bugs back, in the name of the caller, with their rights and the workflow. What was changed again since stays as it is. Each bug is changed completely, except for conflicts, or not at all. Repeating the call does nothing more.',
  params: undoParams,
  unknownParams: 'refused',
  answers: UndoResult,
  scope: 'write',
  run: (context) => undoChange(context, context.path.id ?? '', requestFrom(context)),
})

const undoMany = call({
  method: 'POST',
  idempotency: 'repeatable',
  path: '/change/undo',
  resource,
  summary: 'Undo everything that was made by an API key, or by another source, since a time.',
  about:
    'For the owner of the key and members of admin; with `source`, for the own changes, and for members of admin those of any user. The newest change is undone first. What has undone something is not undone.',
  params: {
    key_id: integer('Id of an API key.'),
    source: text(`Instead of a key: ${CHANGE_SOURCES.filter((kind) => kind !== 'unknown').join(', ')}.`),
    user: text('With source: the login name of another user. Only for members of admin.'),
    since: required(time('Only changes at or after this time.')),
    until: time('Only changes at or before this time.'),
    bugs: naturals('Only these bugs, by number.'),
    ...undoParams,
  },
  unknownParams: 'refused',
  answers: UndoOfManyResult,
  scope: 'write',
  async run(context) {
    const { bugs } = context.params
    const onlyBugs = bugs && new Set(bugs)
    return undoChangesBy(context, await makerIn(context), { ...requestFrom(context), onlyBugs })
  },
})

type UndoContext = CallContext<typeof undoParams>

function requestFrom({ params, ifMatch }: Pick<UndoContext, 'params' | 'ifMatch'>): UndoRequest {
  const { dry_run = false, comment, after, limit } = params
  return { isDryRun: dry_run, comment, after, limit: limitIn(limit), ifMatch }
}

function limitIn(limit = USUAL_BUGS) {
  if (limit < 1 || limit > MOST_BUGS)
    throw errors.bad_value({ name: 'limit', value: limit, right: `it must be between 1 and ${MOST_BUGS}` })
  return limit
}

function afterIn(after = 0) {
  return Math.max(0, clampedId(after))
}

type MadeByParams = Pick<
  CallContext<{
    key_id: typeof keyId
    source: typeof word
    user: typeof word
    since: typeof since
    until: typeof until
  }>,
  'db' | 'caller' | 'params'
>
const keyId = integer('')
const word = text('')
const since = required(time(''))
const until = time('')

/** By what the changes were made that are undone. */
async function makerIn({ db, caller, params }: MadeByParams): Promise<MadeBy> {
  const { id } = requireLogin(caller)
  const { key_id, source, user } = params
  const span = { since: params.since, until: params.until ?? LATEST_TIME }
  if (key_id === undefined && source === undefined) throw errors.parameter_required({ name: 'key_id' })
  if (key_id !== undefined) {
    if (source !== undefined || user !== undefined)
      throw errors.bad_value({ name: 'source', value: source ?? user ?? '', right: 'it cannot be given with key_id' })
    const owner = await ownerOfKey(db, clampedId(key_id))
    if (owner === undefined || (owner !== id && !isIn(caller, 'admin')))
      throw errors.no_such_object({ what: 'API key', ref: String(key_id) })
    return { userId: owner, source: changeSource('key').kind, sourceId: key_id, ...span }
  }
  const kind = CHANGE_SOURCES.indexOf(source as ChangeSourceKind)
  if (kind < 1)
    throw errors.bad_value({
      name: 'source',
      value: source ?? '',
      right: `it must be one of ${CHANGE_SOURCES.slice(1).join(', ')}`,
    })
  const userId = user === undefined ? id : await userNamed({ db, caller }, user)
  return { userId, source: kind, sourceId: null, ...span }
}

async function userNamed({ db, caller }: Pick<CallContext, 'db' | 'caller'>, login: string) {
  if (!isIn(caller, 'admin')) throw errors.group_required({ groups: ['admin'] })
  const [user] = await getUsersByLogins(db, [login])
  return (user as { id: number }).id
}

export const changeRoutes = [getChange, undoOne, undoMany] as const
