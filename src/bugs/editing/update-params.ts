import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import {
  flag,
  hours,
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

/** Text for which null means empty, unlike a missing parameter, which changes nothing. */
const emptiable = (about: string): Param<string | undefined> => ({
  ...text(about),
  read: (name, input) => (input === null ? '' : text(about).read(name, input)),
})

/** Aliases: an object with add, remove and set, or a text or list with the meaning of set. */
const aliasChange: Param<ListChange | undefined> = {
  ...listChange('Aliases to add, remove or set. A text means set. Only for one bug at a time.', MOST_ALIASES),
  read(name, input) {
    if (typeof input === 'string' || typeof input === 'number') return { add: [], remove: [], set: [String(input)] }
    const change = listChange('', MOST_ALIASES)
    return change.read(name, Array.isArray(input) ? { set: input } : input)
  },
}

export interface RequestedComment {
  body: string
  isPrivate: boolean
  isMarkdown: boolean
}

const Comment = Type.Object({
  body: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
  is_private: Type.Optional(Type.Boolean()),
  is_markdown: Type.Optional(Type.Boolean()),
})

const comment: Param<RequestedComment | undefined> = {
  about: 'Comment on the change: `{body, is_private, is_markdown}`.',
  schema: Comment,
  isRequired: false,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    const parts = objectIn(name, input, 'it must be an object with body')
    const body = text('').read(`${name}.body`, parts.body ?? parts.comment) ?? ''
    return {
      body,
      isPrivate: flag('').read(`${name}.is_private`, parts.is_private) ?? false,
      isMarkdown: flag('').read(`${name}.is_markdown`, parts.is_markdown) ?? false,
    }
  },
}

const commentPrivacy: Param<ReadonlyMap<number, boolean> | undefined> = {
  about: 'Comments to make private or public: an object from comment ids to true (private) or false.',
  schema: Type.Record(Type.String(), Type.Boolean(), { maxProperties: MOST_ITEMS }),
  isRequired: false,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    const parts = objectIn(name, input, 'it must be an object with ids of comments')
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

function objectIn(name: string, input: unknown, right: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw errors.bad_value({ name, value: input, right })
  return input as Record<string, unknown>
}

/** All parameters of Update Bug, except custom fields. */
export const updateParams = withBugzillaNames({
  ids: refs('More bugs, by number or alias.'),
  alias: skippingBlanks(aliasChange),
  assigned_to: emptiable('Login name of the assignee.'),
  blocks: skippingBlanks(listChange('Bugs that depend on this one, by number or alias.')),
  cc: skippingBlanks(listChange('Login names to add or remove.')),
  comment,
  comment_is_private: commentPrivacy,
  comment_tags: texts(
    'Tags of the new comment. Only members of comment_taggers_group may set them.',
    MOST_COMMENT_TAGS,
  ),
  component: emptiable('Name of a component of the product.'),
  deadline: emptiable('Deadline, as YYYY-MM-DD; empty for none. For members of the time-tracking group.'),
  depends_on: skippingBlanks(listChange('Bugs that this one depends on, by number or alias.')),
  dry_run: flag('Return the changes without making them.'),
  dupe_of: text('The bug that this one duplicates. This one is closed as a duplicate. Only for one bug at a time.'),
  estimated_time: hours('Estimated hours in total. For members of the time-tracking group.'),
  flags: flags('Flags to set, change or clear.'),
  groups: listChange('Names of groups that the bug is restricted to.'),
  is_cc_accessible: flag('Whether users on the CC list see the bug regardless of its groups.'),
  is_creator_accessible: flag('Whether the reporter sees the bug regardless of its groups.'),
  keywords: skippingBlanks(listChange('Names of keywords.')),
  longdesc: text('Text of the comment; an older name of comment.body.'),
  op_sys: emptiable('Operating system.'),
  platform: emptiable('Hardware.'),
  priority: emptiable('Priority.'),
  product: emptiable('Product to move the bug to. The caller must be able to file bugs in it.'),
  qa_contact: emptiable('Login name of the QA contact; empty for none.'),
  remaining_time: hours('Remaining hours. For members of the time-tracking group.'),
  reset_assigned_to: flag('Assign the bug to the default assignee of its component.'),
  reset_qa_contact: flag('Set the QA contact to the default one of the component.'),
  resolution: emptiable('Resolution, for a bug that is closed or is being closed.'),
  see_also: skippingBlanks(
    listChange('Related bugs: URLs in other trackers, or numbers or aliases of bugs here.', MOST_LINKS),
  ),
  severity: emptiable('Severity.'),
  status: emptiable('Status. An open status clears the resolution.'),
  summary: emptiable('Summary.'),
  target_milestone: emptiable('Name of a milestone of the product.'),
  url: emptiable('URL that the bug is about, at most 65,535 characters.'),
  version: emptiable('Name of a version of the product.'),
  whiteboard: emptiable('Status whiteboard, at most 65,535 characters.'),
  work_time: hours('Hours worked. They reduce remaining_time. For members of the time-tracking group.'),
})
