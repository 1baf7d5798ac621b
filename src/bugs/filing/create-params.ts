import { Type } from '@sinclair/typebox'
import { splitWords } from '../../platform/text/split-words.ts'
import {
  anyItems,
  anything,
  documentedAsRequired,
  flag,
  MOST_ITEMS,
  type Param,
  type Read,
  skippingBlanks,
  text,
  texts,
} from '../../platform/wire/params.ts'
import { MOST_COMMENT_TAGS } from '../comments/tags/comment-tag-rules.ts'
import { flags } from '../flags/flag-params.ts'
import { MOST_LINKS } from '../links/see-also/see-also.ts'
import { MOST_ALIASES } from '../values/bug-aliases.ts'
import { withBugzillaNames } from '../values/bugzilla-names.ts'

/** compat: a list, or one text with commas or blanks between its words (observed 4.6). */
const words = (about: string): Param<string[] | undefined> => {
  const list = skippingBlanks(texts(about))
  return {
    ...list,
    read: (name, given) => list.read(name, typeof given === 'string' ? splitWords(given, MOST_ITEMS) : given),
  }
}

const hours = (about: string) => ({ ...anything(about), schema: Type.Number() })

/** What a new bug can be given, besides custom fields. */
export const CREATE_PARAMS = withBugzillaNames({
  product: documentedAsRequired(text('Name of the product.')),
  component: documentedAsRequired(text('Name of a component of the product.')),
  summary: documentedAsRequired(text('What is wrong, in one line of at most 255 characters.')),
  version: text('Version it was found in. May be left out when the product has just one that is in use.'),
  description: text('Comment 0: what is wrong, at length.'),
  comment: text('Another name of description.'),
  comment_is_private: flag('Only insiders see the description.'),
  comment_tags: texts('Tags of the description, for members of comment_taggers_group.', MOST_COMMENT_TAGS),
  op_sys: text('Operating system. By default the parameter defaultopsys.'),
  platform: text('Hardware. By default the parameter defaultplatform.'),
  priority: text('By default the parameter defaultpriority.'),
  severity: text('By default the parameter defaultseverity.'),
  status: text('Status to begin with, for those with editbugs or canconfirm; others cannot choose.'),
  resolution: text('Needed with a status that is closed; not DUPLICATE.'),
  alias: {
    ...anyItems(
      'Other names of the bug: a list, or one text with blanks or commas between them.',
      Type.String(),
      MOST_ALIASES,
    ),
    schema: texts('', MOST_ALIASES).schema,
  },
  assigned_to: text('Login name, for those with editbugs. By default whom the component names.'),
  qa_contact: text('Login name, for those with editbugs. By default whom the component names.'),
  cc: words('Login names of people to copy, besides those whom the component names.'),
  groups: texts(
    'Groups to restrict the bug to. Without it the default ones; an empty list for none but the mandatory.',
  ),
  target_milestone: text('Milestone of the product. By default that of the product.'),
  keywords: words('Keywords.'),
  url: text('An address the bug is about, of at most 65,535 characters.'),
  whiteboard: text('Notes of at most 65,535 characters.'),
  see_also: skippingBlanks(texts('Bugs in this and other trackers: numbers, aliases, addresses.', MOST_LINKS)),
  depends_on: words('Bugs that must be done first, for those with editbugs.'),
  blocks: words('Bugs that wait for this one, for those with editbugs.'),
  deadline: text('YYYY-MM-DD, for time trackers.'),
  estimated_time: hours('Hours, for time trackers.'),
  is_cc_accessible: flag('People on the CC list see the bug whatever its groups. True by default.'),
  is_creator_accessible: flag('Whoever filed the bug sees it whatever its groups. True by default.'),
  flags: flags('Flags to set.'),
})

export type CreateParams = Read<typeof CREATE_PARAMS>

/** Names that a client may send with a new bug although nobody can choose them. */
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
