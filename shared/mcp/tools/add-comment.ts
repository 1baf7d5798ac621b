import { BUG, inputOf, objectOf, paramsOf, REASON, REQUEST_ID } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import { once, picked, whyProposed, writtenOutcome } from './written.ts'

const FIELDS = ['comment', 'is_private', 'is_markdown'] as const

export const addComment: Tool = {
  name: 'add_comment',
  title: 'Comment on a bug',
  about: 'Adds a comment to a bug, in the name of the user. People get mail about it, and it cannot be taken back.',
  needs: 'write',
  input: inputOf({ bug: BUG, ...paramsOf('POST /bug/:ref/comment', FIELDS), reason: REASON, request_id: REQUEST_ID }, [
    'bug',
    'comment',
  ]),
  data: objectOf({ id: { type: 'integer', description: 'Id of the new comment.' }, proposal: { type: 'object' } }),
  async run(tracker, args) {
    const params = { ref: args.bug, ...picked(args, FIELDS), ...whyProposed(tracker, args.reason) }
    const answer = await tracker.call('POST', '/bug/:ref/comment', params, once(args.request_id))
    const { id } = answer.body as { id?: number }
    return writtenOutcome(answer, 'The comment is added.', { id })
  },
}
