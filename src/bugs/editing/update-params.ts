import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import {
  anything,
  flag,
  type ListChange,
  listChange,
  MOST_ITEMS,
  type Param,
  refs,
  requireAtMost,
  skippingBlanks,
  text,
  texts,
} from '../../platform/wire/params.ts'
import { MOST_COMMENT_TAGS } from '../comments/tags/comment-tag-rules.ts'
import { flags } from '../flags/flag-params.ts'
import { MOST_LINKS } from '../links/see-also/see-also.ts'
import { MOST_ALIASES } from '../values/bug-aliases.ts'
import { withBugzillaNames } from '../values/bugzilla-names.ts'

/** Text for which null means the same as empty, so that it is told from what was not sent. */
const emptiable = (about: string): Param<string | undefined> => ({
  ...text(about),
  read: (name, given) => (given === null ? '' : text(about).read(name, given)),
})

/** Aliases: a list that is changed, or one text or a list that stands in place of what there was. */
const aliasChange: Param<ListChange | undefined> = {
  ...listChange('Aliases to add, remove or set; text is the same as set. Only for one bug at a time.', MOST_ALIASES),
  read(name, given) {
    if (typeof given === 'string' || typeof given === 'number') return { add: [], remove: [], set: [String(given)] }
    const change = listChange('', MOST_ALIASES)
    return change.read(name, Array.isArray(given) ? { set: given } : given)
  },
}

export interface CommentGiven {
  body: string
  isPrivate: boolean
}

const Comment = Type.Object({
  body: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  is_private: Type.Optional(Type.Boolean()),
})

const comment: Param<CommentGiven | undefined> = {
  about: 'What you say about the change: `{body, is_private}`.',
  schema: Comment,
  isRequired: false,
  read(name, given) {
    if (given === undefined || given === null) return undefined
    const parts = objectIn(name, given, 'it must be an object with body')
    const body = text('').read(`${name}.body`, parts.body ?? parts.comment) ?? ''
    return { body, isPrivate: flag('').read(`${name}.is_private`, parts.is_private) ?? false }
  },
}

const commentPrivacy: Param<ReadonlyMap<number, boolean> | undefined> = {
  about: 'Comments of the bug to make private or public: ids with true or false.',
  schema: Type.Record(Type.String(), Type.Boolean(), { maxProperties: MOST_ITEMS }),
  isRequired: false,
  read(name, given) {
    if (given === undefined || given === null) return undefined
    const parts = objectIn(name, given, 'it must be an object with ids of comments')
    return new Map(
      requireAtMost(MOST_ITEMS, name, Object.entries(parts)).map(([id, value]) => [
        commentIdIn(id),
        flag('').read(`${name}.${id}`, value ?? null) ?? false,
      ]),
    )
  },
}

function commentIdIn(id: string): number {
  if (!/^\s*\d{1,15}\s*$/.test(id)) throw errors.comment_id_not_a_number({ value: id })
  return Number(id)
}

function objectIn(name: string, given: unknown, right: string): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw errors.bad_value({ name, value: given, right })
  return given as Record<string, unknown>
}

/** Everything that Update Bug takes, besides custom fields. */
export const updateParams = withBugzillaNames({
  ids: refs('More bugs, by number or alias.'),
  alias: skippingBlanks(aliasChange),
  assigned_to: emptiable('Login name of the assignee.'),
  blocks: skippingBlanks(listChange('Numbers or aliases of bugs that wait for this one.')),
  cc: skippingBlanks(listChange('Login names to add or remove.')),
  comment,
  comment_is_private: commentPrivacy,
  comment_tags: texts('Tags of the new comment, for members of comment_taggers_group.', MOST_COMMENT_TAGS),
  component: emptiable('Name of a component of the product.'),
  deadline: emptiable('Day by which it should be done; empty for none. For the time-tracking group.'),
  depends_on: skippingBlanks(listChange('Numbers or aliases of bugs that this one waits for.')),
  dry_run: flag('Answers the changes that would be made, and makes none.'),
  dupe_of: text('The bug that this one duplicates; it is closed as a duplicate. Only for one bug at a time.'),
  estimated_time: anything('Hours that it will take in all. For the time-tracking group.'),
  flags: flags('Flags to set, change or clear.'),
  groups: listChange('Names of groups to restrict the bug to, or to free it from.'),
  is_cc_accessible: flag('Whether people on the CC list see the bug whatever groups it is restricted to.'),
  is_creator_accessible: flag('Whether the reporter sees the bug whatever groups it is restricted to.'),
  keywords: skippingBlanks(listChange('Names of keywords.')),
  longdesc: text('Text of a comment; Bugzilla’s name of comment.body.'),
  op_sys: emptiable('Operating system.'),
  platform: emptiable('Hardware.'),
  priority: emptiable('Priority.'),
  product: emptiable('Product to move the bug to; bugs can be moved where they can be filed.'),
  qa_contact: emptiable('Login name of the QA contact; empty for none.'),
  remaining_time: anything('Hours still to work. For the time-tracking group.'),
  reset_assigned_to: flag('Makes the default assignee of the component the assignee.'),
  reset_qa_contact: flag('Makes the default QA contact of the component the QA contact.'),
  resolution: emptiable('Resolution, for a bug that is closed or is being closed.'),
  see_also: skippingBlanks(listChange('Addresses of bugs in other trackers, or bugs of this one.', MOST_LINKS)),
  severity: emptiable('Severity.'),
  status: emptiable('Status. Opening a bug clears its resolution.'),
  summary: emptiable('Summary.'),
  target_milestone: emptiable('Name of a milestone of the product.'),
  url: emptiable('Address that the bug is about, of at most 65,535 characters.'),
  version: emptiable('Name of a version of the product.'),
  whiteboard: emptiable('Status whiteboard, of at most 65,535 characters.'),
  work_time: anything('Hours worked. They are taken off the remaining ones. For the time-tracking group.'),
})
