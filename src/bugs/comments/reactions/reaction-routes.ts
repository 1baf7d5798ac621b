import { Type } from '@sinclair/typebox'
import { call } from '../../../access/call.ts'
import { texts } from '../../../platform/wire/params.ts'
import { Person } from '../../reading/person-schema.ts'
import { commentIdIn } from '../comment-rules.ts'
import { changeReactions, readReactions } from './change-reactions.ts'
import { MOST_NAMED, REACTIONS } from './reaction.ts'

const resource = 'comment'
const path = '/bug/comment/:comment_id/reactions'
const pathParams = { comment_id: 'Id of a comment.' }
const names = REACTIONS.join(', ')
const MOST_AT_ONCE = 20

/** An object by name, or an empty list for a comment that does not exist. */
const Reactions = Type.Union([
  Type.Record(Type.String(), Type.Array(Person), {
    description: `The first ${MOST_NAMED} users by name, in the order in which they reacted.`,
  }),
  Type.Array(Person, { maxItems: 0 }),
])

const getReactions = call({
  method: 'GET',
  path,
  pathParams,
  resource,
  summary: 'Get who reacted to a comment.',
  about: 'For every caller who may read the comment. An empty list for a comment that does not exist.',
  params: {},
  answers: Reactions,
  scope: 'read',
  run: (context) => readReactions(context, commentIdIn(context.path.comment_id ?? '')),
})

const putReactions = call({
  method: 'PUT',
  path,
  pathParams,
  resource,
  summary: 'React to a comment.',
  about:
    'For users who may comment on the bug, until three months after it was closed. Returns all reactions. There is no mail and no history.',
  params: {
    add: texts(`Reactions of the caller to add: any of ${names}.`, MOST_AT_ONCE),
    remove: texts('Reactions of the caller to take back.', MOST_AT_ONCE),
  },
  answers: Reactions,
  scope: 'write',
  run: (context) =>
    changeReactions(context, commentIdIn(context.path.comment_id ?? ''), {
      add: context.params.add ?? [],
      remove: context.params.remove ?? [],
    }),
})

export const reactionRoutes = [getReactions, putReactions] as const
