import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { texts } from '../../platform/wire/params.ts'
import { changeTags } from './change-tags.ts'

/** Of one call. */
const MOST_TAGS = 100

const putTags = call({
  method: 'PUT',
  path: '/bug/:ref/tags',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource: 'bug_tag',
  summary: 'Put personal tags on a bug, or take them away.',
  about:
    'For whoever is logged in and sees the bug; nobody else sees the tags. Answers the tags that the bug has then.',
  params: {
    add: texts('Tags to put on the bug; at most 64 characters each, kept in small letters.', MOST_TAGS),
    remove: texts('Tags to take away. What is added and removed at once is removed.', MOST_TAGS),
  },
  answers: Type.Array(Type.String()),
  scope: 'write',
  run: (context) => changeTags(context, context.path.ref ?? '', context.params.add ?? [], context.params.remove ?? []),
})

export const tagRoutes = [putTags]
