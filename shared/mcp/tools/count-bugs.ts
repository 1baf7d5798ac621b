import { inputOf, objectOf } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import { criteriaIn, SEARCH } from './search-bugs.ts'

const MOST = 100

export const countBugs: Tool = {
  name: 'count_bugs',
  title: 'Count bugs',
  about: `Counts the bugs that meet all criteria, by one or two fields, such as product and status: at most ${MOST} counts, the largest first.`,
  needs: 'read',
  input: inputOf({
    by: {
      type: 'string',
      maxLength: 100,
      description: 'Name of a field to count by. Without it, only the number of bugs.',
    },
    and_by: { type: 'string', maxLength: 100, description: 'Name of a second field.' },
    ...SEARCH,
  }),
  data: objectOf({
    total: { type: 'integer' },
    counts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { by: { type: 'string' }, and_by: { type: 'string' }, bugs: { type: 'integer' } },
      },
    },
  }),
  async run(tracker, args) {
    const { by, and_by: andBy } = args as { by?: string; and_by?: string }
    if (by === undefined) {
      const { body } = await tracker.call('GET', '/bug', { ...criteriaIn(args), count_only: true })
      const { bug_count: total = 0 } = body as { bug_count?: number }
      return { says: `${total} bugs.`, data: { total } }
    }
    const { body } = await tracker.call('GET', '/report', {
      ...criteriaIn(args),
      y_axis_field: by,
      ...(andBy !== undefined && { x_axis_field: andBy }),
    })
    const { counts, bug_count: total } = body as Report
    const largest = [...counts].sort((one, other) => other.bug_count - one.bug_count).slice(0, MOST)
    return {
      says: `${total} bugs; ${largest.length} of ${counts.length} counts.`,
      data: {
        total,
        counts: largest.map(({ x, y, bug_count: bugs }) => ({
          by: y ?? '',
          ...(x !== undefined && { and_by: x }),
          bugs,
        })),
      },
    }
  },
}

interface Report {
  bug_count: number
  counts: { x?: string; y?: string; bug_count: number }[]
}
