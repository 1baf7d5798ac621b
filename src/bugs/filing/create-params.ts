import { Type } from '@sinclair/typebox'
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
import { MOST_LINKS } from '../links/see-also/see-also.ts'
import { MOST_ALIASES } from '../values/bug-aliases.ts'
import { withBugzillaNames } from '../values/bugzilla-names.ts'

/** compat: a list, or one text of words separated by commas or spaces (observed 4.6). */
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

/** All parameters of Create Bug, except custom fields. */
export const CREATE_PARAMS = withBugzillaNames({
  product: documentedAsRequired(text('Name of the product.')),
  component: documentedAsRequired(text('Name of a component of the product.')),
  summary: documentedAsRequired(text('One line of at most 255 characters.')),
  version: text('Version in which the bug was found. Required unless the product has exactly one active version.'),
  description: text('Full description, which becomes comment 0.'),
  comment: text('Another name for description.'),
  comment_is_private: flag('Whether only insiders see the description.'),
  is_markdown: flag('Whether the description is Markdown. Refused while the parameter use_markdown is off.'),
  comment_tags: texts(
    'Tags of the description. Only members of comment_taggers_group may set them.',
    MOST_COMMENT_TAGS,
  ),
  op_sys: text('Operating system. By default the parameter defaultopsys.'),
  platform: text('Hardware. By default the parameter defaultplatform.'),
  priority: text('By default the parameter defaultpriority.'),
  severity: text('By default the parameter defaultseverity.'),
  status: text('Initial status. Ignored unless the caller has editbugs or canconfirm.'),
  resolution: text('Required with a closed status. Cannot be DUPLICATE.'),
  alias: {
    ...anyItems(
      'Aliases of the bug: a list, or one text with spaces or commas between them.',
      Type.String(),
      MOST_ALIASES,
    ),
    schema: texts('', MOST_ALIASES).schema,
  },
  assigned_to: text('Login name. The default is that of the component; only users with editbugs may choose.'),
  qa_contact: text('Login name. The default is that of the component; only users with editbugs may choose.'),
  cc: words('Login names of users on the CC list, besides the default CC list of the component.'),
  groups: texts(
    'Groups to restrict the bug to. Without it, the default groups; with an empty list, only the mandatory ones.',
  ),
  target_milestone: text('Name of a milestone of the product. By default the default milestone of the product.'),
  keywords: words('Keywords.'),
  url: text('URL that the bug is about, at most 65,535 characters.'),
  whiteboard: text('Status whiteboard, at most 65,535 characters.'),
  see_also: skippingBlank(
    texts('Related bugs: URLs in other trackers, or numbers or aliases of bugs here.', MOST_LINKS),
  ),
  depends_on: words('Bugs that this one depends on, by number or alias. Ignored unless the caller has editbugs.'),
  blocks: words('Bugs that depend on this one, by number or alias. Ignored unless the caller has editbugs.'),
  deadline: text('Deadline, as YYYY-MM-DD. Ignored unless the caller is in the time-tracking group.'),
  estimated_time: hours('Estimated hours. Ignored unless the caller is in the time-tracking group.'),
  is_cc_accessible: flag('Whether users on the CC list see the bug regardless of its groups. True by default.'),
  is_creator_accessible: flag('Whether the reporter sees the bug regardless of its groups. True by default.'),
  flags: flags('Flags to set.'),
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
