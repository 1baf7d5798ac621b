import { Type } from '@sinclair/typebox'
import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import type { BUG_FIELDS, BugField } from '../../../shared/bug-fields/bug-fields.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { splitWords } from '../../platform/text/split-words.ts'
import {
  anyItems,
  documentedAsRequired,
  flag,
  hours,
  MOST_ITEMS,
  type Param,
  type ParamValues,
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

/** compat: a list, or one text of words separated by commas or spaces, as Bugzilla takes it. */
const words = (about: string): Param<string[] | undefined> => {
  const list = skippingBlanks(texts(about))
  return {
    ...list,
    read: (name, input) => list.read(name, typeof input === 'string' ? splitWords(input, MOST_ITEMS) : input),
  }
}

/** The same list; one blank text, which forms and scripts send, is an empty list. */
function skippingBlank<Value>(it: Param<Value>): Param<Value> {
  const list = skippingBlanks(it)
  return { ...list, read: (name, input) => list.read(name, typeof input === 'string' ? [input] : input) }
}

type Created = Extract<(typeof BUG_FIELDS)[number], { about: { create: string } }>
type CreateParam<Kind extends FieldKind> = Kind extends 'hours'
  ? ReturnType<typeof hours>
  : Kind extends 'yes or no'
    ? ReturnType<typeof flag>
    : Kind extends 'users' | 'keywords' | 'bugs' | 'links' | 'groups'
      ? Param<string[] | undefined>
      : Param<string | undefined>

/** The parameter with the value of a field of a new bug, by the kind of the field. */
function createParam({ kind, isRequiredToFile }: BugField, about: string): Param<unknown> {
  switch (kind) {
    case 'hours':
      return hours(about)
    case 'yes or no':
      return flag(about)
    case 'groups':
      return texts(about)
    case 'links':
      return skippingBlank(texts(about, MOST_LINKS))
    case 'users':
    case 'keywords':
    case 'bugs':
      return words(about)
    default:
      return isRequiredToFile ? documentedAsRequired(text(about)) : text(about)
  }
}

const FIELD_PARAMS = Object.fromEntries(
  bugFields.flatMap((field) =>
    field.about?.create === undefined ? [] : [[field.name, createParam(field, field.about.create)]],
  ),
) as { [Field in Created as Field['name']]: CreateParam<Field['kind']> }

/** All parameters of Create Bug, except custom fields. */
export const CREATE_PARAMS = withBugzillaNames({
  ...FIELD_PARAMS,
  description: text('Full description, which becomes comment 0.'),
  comment: text('Another name for description.'),
  comment_is_private: flag('Whether only insiders see the description.'),
  is_markdown: flag('Whether the description is Markdown. Refused while the parameter use_markdown is off.'),
  comment_tags: texts(
    'Tags of the description. Only members of comment_taggers_group may set them.',
    MOST_COMMENT_TAGS,
  ),
  alias: {
    ...anyItems(
      'Aliases of the bug: a list, or one text with spaces or commas between them.',
      Type.String(),
      MOST_ALIASES,
    ),
    schema: texts('', MOST_ALIASES).schema,
  },
  flags: flags('Flags to set.'),
  ...questionParams,
  ...PROPOSAL_PARAMS,
})

export type CreateParams = ParamValues<typeof CREATE_PARAMS>

/** Fields of a bug that a client may send with a new one, for example a copied bug, but that have no effect. */
export const IGNORED_PARAMS: ReadonlySet<string> = new Set([
  'id',
  'bug_id',
  'creator',
  'reporter',
  'creation_time',
  'creation_ts',
  'last_change_time',
  'delta_ts',
  'include_fields',
  'exclude_fields',
])
