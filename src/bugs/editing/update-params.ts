import { Type } from '@sinclair/typebox'
import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import type { BUG_FIELDS } from '../../../shared/bug-fields/bug-fields.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
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
import { questionParams } from '../flags/questions/wanted-questions.ts'
import { MOST_LINKS } from '../links/see-also/see-also.ts'
import { PROPOSAL_PARAMS } from '../proposals/proposal-params.ts'
import { MOST_ALIASES } from '../values/bug-aliases.ts'
import { withBugzillaNames } from '../values/bugzilla-names.ts'

/** Text for which null means empty, unlike a missing parameter, which changes nothing. */
const emptiable = (about: string): Param<string | undefined> => {
  const it = text(about)
  return { ...it, read: (name, input) => (input === null ? '' : it.read(name, input)) }
}

/** Aliases: an object with add, remove and set, or a text or list with the meaning of set. */
const aliasList = listChange(
  'Aliases to add, remove or set. A text means set. Only for one bug at a time.',
  MOST_ALIASES,
)
const aliasChange: Param<ListChange | undefined> = {
  ...aliasList,
  read(name, input) {
    if (typeof input === 'string' || typeof input === 'number') return { add: [], remove: [], set: [String(input)] }
    return aliasList.read(name, Array.isArray(input) ? { set: input } : input)
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

const bodyOfComment = text('')
const flagOfComment = flag('')

const comment: Param<RequestedComment | undefined> = {
  about: 'Comment on the change: `{body, is_private, is_markdown}`.',
  schema: Comment,
  isRequired: false,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    const parts = objectIn(name, input, 'it must be an object with body')
    const body = bodyOfComment.read(`${name}.body`, parts.body ?? parts.comment) ?? ''
    return {
      body,
      isPrivate: flagOfComment.read(`${name}.is_private`, parts.is_private) ?? false,
      isMarkdown: flagOfComment.read(`${name}.is_markdown`, parts.is_markdown) ?? false,
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
        flagOfComment.read(`${name}.${id}`, value ?? null) ?? false,
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

type Updated = Extract<(typeof BUG_FIELDS)[number], { about: { update: string } }>
type UpdateParam<Kind extends FieldKind> = Kind extends 'hours'
  ? ReturnType<typeof hours>
  : Kind extends 'yes or no'
    ? ReturnType<typeof flag>
    : Kind extends 'users' | 'keywords' | 'bugs' | 'links' | 'groups'
      ? Param<ListChange | undefined>
      : Param<string | undefined>

/** The parameter that changes a field, by the kind of the field. */
function updateParam(kind: FieldKind, about: string): Param<unknown> {
  switch (kind) {
    case 'hours':
      return hours(about)
    case 'yes or no':
      return flag(about)
    case 'bug':
      return text(about)
    case 'groups':
      return listChange(about)
    case 'links':
      return skippingBlanks(listChange(about, MOST_LINKS))
    case 'users':
    case 'keywords':
    case 'bugs':
      return skippingBlanks(listChange(about))
    default:
      return emptiable(about)
  }
}

const FIELD_PARAMS = Object.fromEntries(
  bugFields.flatMap(({ name, kind, about }) =>
    about?.update === undefined ? [] : [[name, updateParam(kind, about.update)]],
  ),
) as { [Field in Updated as Field['name']]: UpdateParam<Field['kind']> }

/** All parameters of Update Bug, except custom fields. */
export const updateParams = withBugzillaNames({
  ids: refs('More bugs, by number or alias.'),
  alias: skippingBlanks(aliasChange),
  ...FIELD_PARAMS,
  comment,
  comment_is_private: commentPrivacy,
  comment_tags: texts(
    'Tags of the new comment. Only members of comment_taggers_group may set them.',
    MOST_COMMENT_TAGS,
  ),
  dry_run: flag('Return the changes without making them.'),
  flags: flags('Flags to set, change or clear.'),
  ...questionParams,
  longdesc: text('Text of the comment; an older name of comment.body.'),
  ...PROPOSAL_PARAMS,
  reset_assigned_to: flag('Assign the bug to the default assignee of its component.'),
  reset_qa_contact: flag('Set the QA contact to the default one of the component.'),
})
