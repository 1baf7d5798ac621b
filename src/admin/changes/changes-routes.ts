import { Type } from '@sinclair/typebox'
import { type Call, call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { anyItems, flag, required } from '../../platform/wire/params.ts'
import { applyChanges } from './apply-changes.ts'
import { lastAuditId } from './configuration-version.ts'
import { Effects } from './effects.ts'
import { findsConfigurationCalls, MOST_CHANGES, RequestedChange, readRequestedChanges } from './requested-changes.ts'

const resource = 'admin'
const Version = Type.Integer({ description: 'Grows with every change of the configuration; for the header If-Match.' })

/** `calls` are those that may be made together. */
export function changesRoutes(calls: readonly Call[]) {
  const find = findsConfigurationCalls(calls)
  const getVersion = call({
    method: 'GET',
    path: '/admin/changes',
    resource,
    summary: 'Get the version of the configuration.',
    about: 'For logged-in users. To be read before the objects that will be changed.',
    params: {},
    answers: Type.Object({ version: Version }, { additionalProperties: false }),
    scope: 'admin',
    async run({ db, caller }) {
      requireLogin(caller)
      return { version: await lastAuditId(db) }
    },
  })
  const putChanges = call({
    method: 'PUT',
    path: '/admin/changes',
    resource,
    summary: 'Change several parts of the configuration together.',
    about:
      'Makes existing calls one after another in one transaction: either all of them succeed, or nothing is changed. Each needs the same rights as when it is made alone. With dry_run nothing is changed, and the response says what would happen.',
    params: {
      changes: required(anyItems('The calls, in the order in which they are made.', RequestedChange, MOST_CHANGES)),
      dry_run: flag('Return what would happen without making the changes.'),
    },
    unknownParams: 'refused',
    answers: Type.Object(
      {
        version: Type.Optional(Version),
        responses: Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'What each call returns when it is made alone.',
        }),
        effects: Effects,
      },
      { additionalProperties: false },
    ),
    readsIfMatch: true,
    scope: 'admin',
    async run(context) {
      requireLogin(context.caller)
      const { changes, dry_run = false } = context.params
      const { responses, effects, version } = await applyChanges(context, readRequestedChanges(changes, find), dry_run)
      return dry_run ? { responses, effects } : { version, responses, effects }
    },
  })
  return [getVersion, putChanges] as const
}
