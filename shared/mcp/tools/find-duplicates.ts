import { answerOf, BUG, inputOf, listOf, objectOf, paramsOf } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import { LISTED } from './search-bugs.ts'

const MOST = 10

export const findDuplicates: Tool = {
  name: 'find_duplicates',
  title: 'Look for likely duplicates',
  about: 'Finds bugs with a similar summary, the most similar first. Use it before filing a bug.',
  needs: 'read',
  input: inputOf({
    summary: { type: 'string', minLength: 1, maxLength: 255, description: 'What the bug is called, or would be.' },
    bug: { ...BUG, description: 'Instead of a summary, a bug: its number or alias.' },
    ...paramsOf('GET /bug/possible_duplicates', ['product']),
  }),
  data: objectOf({ bugs: listOf(answerOf('Bug', LISTED)) }),
  async run(tracker, { summary, bug, product }) {
    const { body } = await tracker.call('GET', '/bug/possible_duplicates', {
      ...(summary !== undefined && { summary }),
      ...(bug !== undefined && { id: bug }),
      ...(product !== undefined && { product }),
      limit: MOST,
      include_fields: LISTED.join(),
    })
    const { bugs } = body as { bugs: object[] }
    return { says: `${bugs.length} bugs look similar.`, data: { bugs } }
  },
}
