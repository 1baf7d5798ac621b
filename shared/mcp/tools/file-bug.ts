import { CUSTOM_FIELDS, inputOf, objectOf, paramsOf, REASON, REQUEST_ID } from '../input-schema.ts'
import type { Tool } from '../tool.ts'
import { once, picked, whyProposed, writtenOutcome } from './written.ts'

const FIELDS = [
  'product',
  'component',
  'summary',
  'description',
  'version',
  'type',
  'priority',
  'severity',
  'target_milestone',
  'keywords',
  'assigned_to',
  'cc',
  'depends_on',
  'blocks',
  'see_also',
  'is_markdown',
] as const

/** What a Bugzilla has no default for. */
const BUGZILLA_DEFAULTS = { version: 'unspecified', op_sys: 'All', platform: 'All' }

export const fileBug: Tool = {
  name: 'file_bug',
  title: 'File a bug',
  about:
    'Files a new bug. Look for duplicates with find_duplicates before, and look its product up with get_product. Fields that are missing get their defaults.',
  needs: 'write',
  input: inputOf(
    {
      ...paramsOf('POST /bug', FIELDS),
      groups: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 20,
        description:
          'Groups to restrict the bug to, for example for a vulnerability. Without it, the default groups of the product.',
      },
      custom_fields: CUSTOM_FIELDS,
      reason: REASON,
      request_id: REQUEST_ID,
    },
    ['product', 'component', 'summary', 'description'],
  ),
  data: objectOf({
    id: { type: 'integer', description: 'Number of the new bug.' },
    url: { type: 'string' },
    ignored: {
      type: 'array',
      items: { type: 'string' },
      description: 'Fields that you may not choose: they have their defaults.',
    },
    proposal: { type: 'object' },
  }),
  async run(tracker, args) {
    const params = {
      ...(tracker.isLacewing ? {} : BUGZILLA_DEFAULTS),
      ...picked(args, [...FIELDS, 'groups']),
      ...(args.custom_fields as object | undefined),
      ...whyProposed(tracker, args.reason),
    }
    const answer = await tracker.call('POST', '/bug', params, once(args.request_id))
    const { id, ignored } = answer.body as { id?: number; ignored?: string[] }
    const url = tracker.isLacewing ? `${tracker.url}/bug/${id}` : `${tracker.url}/show_bug.cgi?id=${id}`
    return writtenOutcome(answer, `Filed as bug ${id}.`, { id, url, ...(ignored !== undefined && { ignored }) })
  },
}
