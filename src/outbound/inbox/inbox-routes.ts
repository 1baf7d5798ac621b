import { Type } from '@sinclair/typebox'
import { REASON_GROUPS, type ReasonGroup } from '../../../shared/reasons.ts'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { requireVisibleBugs } from '../../bugs/values/bug-refs.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow, toTime } from '../../platform/time/clock.ts'
import { flag, integer, refs, required, text, time } from '../../platform/wire/params.ts'
import { changeEntries, type Deed, seenUpTo, undoDeed } from './change-inbox.ts'
import { type InboxState, type Mark, readMark, STATES } from './inbox-entry.ts'
import { Inbox, InboxChanged, InboxEntry } from './inbox-schema.ts'
import { findEntries, type InboxContext } from './reading/find-entries.ts'
import { isInGroup, presentEntries, readInbox } from './reading/read-inbox.ts'

const resource = 'inbox'
const MOST_ENTRIES = 100
const pathParams = { ref: 'Number or alias of a bug.' }
const GROUPS = REASON_GROUPS.map(({ name }) => name).join(', ')

const getInbox = call({
  method: 'GET',
  path: '/inbox',
  resource,
  summary: 'Get the inbox of the caller.',
  about:
    'One entry for each bug, the newest first, with the numbers of all entries. What the caller may not see counts nowhere.',
  params: {
    state: text('open (the default), done or snoozed.'),
    reason: text(`Only entries with a reason of this group: ${GROUPS}.`),
    unread: flag('Only unread entries.'),
    limit: integer(`Maximum number of entries; at most ${MOST_ENTRIES}, 50 by default. 0 returns only the numbers.`),
    offset: integer('How many entries to skip.'),
  },
  answers: Inbox,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { state, reason, unread, limit, offset } = context.params
    const { entries, ...numbers } = await readInbox(contextOf(context), {
      state: readState(state) ?? 'open',
      group: readGroup(reason),
      onlyUnread: unread === true,
      bugIds: undefined,
      limit: readNumber('limit', limit ?? 50, MOST_ENTRIES),
      offset: readNumber('offset', offset ?? 0, Number.MAX_SAFE_INTEGER),
    })
    return { entries: entries.map((entry) => context.select.pick(entry)), ...numbers }
  },
})

const getEntry = call({
  method: 'GET',
  path: '/inbox/:ref',
  pathParams,
  resource,
  summary: 'Get one entry of the inbox.',
  params: {},
  answers: InboxEntry,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const own = contextOf(context)
    const [entry] = await presentEntries(own, [await requireEntry(context, own, context.path.ref ?? '')])
    if (entry === undefined) throw noEntry(context.path.ref ?? '')
    return context.select.pick(entry)
  },
})

const deedParams = {
  state: text('open, done or snoozed.'),
  snoozed_until: time(
    'With snoozed: the time at which it comes back, within a year. Without it, it comes back when it changes.',
  ),
  is_unread: flag('Whether it counts as unread.'),
  is_muted: flag('Whether the bug is ignored from now on, in the inbox and in mail.'),
} as const

const putEntry = call({
  method: 'PUT',
  path: '/inbox/:ref',
  pathParams,
  resource,
  summary: 'Change an entry of the inbox.',
  about: 'Puts it away, brings it back, marks it as read or unread, or mutes its bug.',
  params: { ...deedParams, mark: text('The mark of the entry as it was read: what came later stays in the inbox.') },
  unknownParams: 'refused',
  answers: InboxChanged,
  scope: 'write',
  async run(context) {
    const own = contextOf(context)
    const deed = deedIn(context.params)
    const mark = readMarkOf(context.params.mark)
    if (deed.isMuted === false) {
      const [bugId = 0] = await requireVisibleBugs(context.db, context.settings, viewerOf(own.caller), [
        context.path.ref ?? '',
      ])
      return changeEntries(
        own,
        [{ bugId, mark: mark ?? { comment: -1, change: 0 }, notes: -1, since: timeNow() }],
        deed,
      )
    }
    const entry = await requireEntry(context, own, context.path.ref ?? '')
    return changeEntries(own, [seenUpTo(entry, mark)], deed)
  },
})

const putEntries = call({
  method: 'PUT',
  path: '/inbox',
  resource,
  summary: 'Change several entries of the inbox.',
  about: 'Changes the entries of the bugs in ids, or all open ones with a reason. Bugs without an entry are left out.',
  params: {
    ...deedParams,
    ids: refs('The bugs, by number.'),
    reason: text(`All open entries with a reason of this group: ${GROUPS}, or all.`),
    until: time('Only entries that are not newer: those that were shown.'),
  },
  unknownParams: 'refused',
  answers: InboxChanged,
  scope: 'write',
  async run(context) {
    const own = contextOf(context)
    const { ids, reason, until } = context.params
    const deed = deedIn(context.params)
    if ((ids === undefined) === (reason === undefined))
      throw errors.bad_value({ name: 'ids', value: ids ?? '', right: 'give either ids or reason' })
    const group = reason === 'all' ? undefined : readGroup(reason)
    const wanted = ids === undefined ? undefined : new Set(ids.map(Number))
    const entries = (await findEntries(own, wanted)).filter(
      (entry) =>
        (wanted === undefined
          ? entry.state === 'open' && (group === undefined || isInGroup(entry, group))
          : wanted.has(entry.bugId)) &&
        (until === undefined || entry.at <= until),
    )
    return changeEntries(
      own,
      entries.map((entry) => seenUpTo(entry)),
      deed,
    )
  },
})

const postUndo = call({
  method: 'POST',
  idempotency: 'once',
  path: '/inbox/undo',
  resource,
  summary: 'Undo a change of the inbox.',
  about: 'For an hour, and for entries that were not changed again.',
  params: { undo: required(text('What the change returned.')) },
  unknownParams: 'refused',
  answers: Type.Object({ changed: Type.Array(Type.Integer()) }, { title: 'InboxUndone', additionalProperties: false }),
  scope: 'write',
  run: async (context) => ({ changed: await undoDeed(contextOf(context), context.params.undo) }),
})

export const inboxRoutes = [getInbox, getEntry, putEntry, putEntries, postUndo] as const

function contextOf({ db, settings, catalogue, caller }: CallContext): InboxContext {
  return { db, settings, catalogue, caller: requireLogin(caller) }
}

/** The errors for missing and hidden bugs are those of the bug. */
async function requireEntry({ db, settings }: CallContext, own: InboxContext, ref: string) {
  const [id] = await requireVisibleBugs(db, settings, viewerOf(own.caller), [ref])
  const entry = (await findEntries(own, new Set(id === undefined ? [] : [id]))).find(({ bugId }) => bugId === id)
  if (entry === undefined) throw noEntry(ref)
  return entry
}

function noEntry(ref: string) {
  return errors.no_such_object({ what: 'inbox entry', ref })
}

function readState(value: string | undefined): InboxState | undefined {
  if (value === undefined) return undefined
  if (!Object.hasOwn(STATES, value))
    throw errors.bad_value({ name: 'state', value, right: 'it must be open, done or snoozed' })
  return value as InboxState
}

function readGroup(value: string | undefined): ReasonGroup | undefined {
  if (value === undefined) return undefined
  const group = REASON_GROUPS.find(({ name }) => name === value)
  if (group === undefined) throw errors.bad_value({ name: 'reason', value, right: `it must be one of ${GROUPS}` })
  return group.name
}

function readNumber(name: string, value: number, most: number) {
  if (value < 0 || value > most) throw errors.bad_value({ name, value, right: `it must be from 0 to ${most}` })
  return value
}

function readMarkOf(value: string | undefined): Mark | undefined {
  if (value === undefined) return undefined
  const mark = readMark(value)
  if (mark === undefined) throw errors.bad_value({ name: 'mark', value, right: 'it must be the mark of an entry' })
  return mark
}

const LONGEST_SNOOZE_MILLISECONDS = 366 * 86_400_000

function deedIn(params: { [Name in keyof typeof deedParams]: ReturnType<(typeof deedParams)[Name]['read']> }): Deed {
  const { snoozed_until: until, is_unread: isUnread, is_muted: isMuted } = params
  const state = readState(params.state)
  if (state === undefined && isUnread === undefined && isMuted === undefined)
    throw errors.bad_value({ name: 'state', value: '', right: 'give state, is_unread or is_muted' })
  if (until !== undefined) {
    if (state !== 'snoozed')
      throw errors.bad_value({ name: 'snoozed_until', value: until, right: 'it is only for the state snoozed' })
    if (until <= timeNow() || until > toTime(Date.now() + LONGEST_SNOOZE_MILLISECONDS))
      throw errors.bad_value({ name: 'snoozed_until', value: until, right: 'it must be within the next year' })
  }
  return { state, snoozedUntil: until, isUnread, isMuted }
}
