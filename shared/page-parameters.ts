// The parameters that pages read. An administrator may read all of them, which would come with every page.

import { pageFields } from './bug-fields/page-fields.ts'
import { LOOK_PARAMETERS } from './look.ts'

const NAMED = [
  'allowemailchange',
  'allowuserdeletion',
  'collapsed_comment_tags',
  'duplicate_or_move_bug_status',
  'letsubmitterchoosemilestone',
  'link_templates',
  'mailfrom',
  'urlbase',
  'use_comment_reactions',
  'use_markdown',
  ...LOOK_PARAMETERS,
] as const

/** Those that hide fields, and those with the usual values of fields. */
const OF_FIELDS = pageFields.flatMap(({ switchedBy = [], defaultFrom = [] }) => [switchedBy, defaultFrom].flat())

export const READ_PARAMETERS: readonly PageParameter[] = [...new Set([...NAMED, ...OF_FIELDS])]

export type PageParameter = (typeof NAMED)[number] | (typeof OF_FIELDS)[number]
