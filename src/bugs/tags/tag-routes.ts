import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { texts } from '../../platform/wire/params.ts'
import { changeTags } from './change-tags.ts'

/** The largest number of tags in one call. */
const MOST_TAGS = 100

const putTags = call({
  method: 'PUT',
  path: '/bug/:ref/tags',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource: 'bug_tag',
  summary: 'Add or remove personal tags of a bug.',
  about:
    'Needs a login and a bug that the caller can see. Only the caller sees the tags. Returns the tags of the bug after the change.',
  params: {
    add: texts('Tags to add, at most 64 characters each. They are stored in lower case.', MOST_TAGS),
    remove: texts('Tags to remove. A tag that is both added and removed is removed.', MOST_TAGS),
  },
  answers: Type.Array(Type.String()),
  scope: 'write',
  run: (context) => changeTags(context, context.path.ref ?? '', context.params.add ?? [], context.params.remove ?? []),
})

export const tagRoutes = [putTags] as const
