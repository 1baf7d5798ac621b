import { Type } from '@sinclair/typebox'
import { Changes, optional } from '../../platform/wire/openapi/schemas.ts'
import { SearchExplanation } from '../../search/explain-search.ts'
import { Attachment } from '../attachments/attachment-schema.ts'
import { Comment } from '../comments/comment-schema.ts'
import { HistoryEntry } from '../history/history-schema.ts'
import { Flag } from './flag-schema.ts'
import { Person as person } from './person-schema.ts'

const Time = Type.String({ format: 'date-time' })

const text = Type.String()
const texts = Type.Array(text)
const ids = Type.Array(Type.Integer())

/** The fields that every bug has, unless include_fields or exclude_fields leaves them out. */
const FIELDS = {
  id: Type.Integer(),
  alias: texts,
  summary: text,
  status: text,
  resolution: text,
  is_open: Type.Boolean(),
  is_confirmed: Type.Boolean(),
  product: text,
  component: text,
  classification: text,
  version: text,
  target_milestone: text,
  priority: text,
  severity: text,
  op_sys: text,
  platform: text,
  url: text,
  whiteboard: text,
  keywords: texts,
  see_also: texts,
  depends_on: ids,
  blocks: ids,
  dupe_of: Type.Union([Type.Integer(), Type.Null()]),
  creation_time: Time,
  last_change_time: Time,
  creator: text,
  creator_detail: person,
  assigned_to: text,
  assigned_to_detail: person,
  qa_contact: text,
  cc: texts,
  cc_detail: Type.Array(person),
  groups: texts,
  is_cc_accessible: Type.Boolean(),
  is_creator_accessible: Type.Boolean(),
}

/** Fields that depend on the caller's rights or are returned only on request. */
const MORE_FIELDS = {
  flags: Type.Array(Flag),
  qa_contact_detail: person,
  update_token: text,
  actual_time: Type.Number(),
  estimated_time: Type.Number(),
  remaining_time: Type.Number(),
  deadline: Type.Union([text, Type.Null()]),
  tags: texts,
  duplicates: ids,
  comment_count: Type.Integer(),
  description: text,
  comments: Type.Array(Comment),
  history: Type.Array(HistoryEntry),
  attachments: Type.Array(Type.Partial(Attachment, { title: 'BugAttachment', additionalProperties: false })),
}

/** Custom fields are properties whose names start with `cf_`. */
export const Bug = Type.Object(
  { ...FIELDS, ...optional(MORE_FIELDS) },
  {
    title: 'Bug',
    additionalProperties: false,
    patternProperties: { '^cf_': Type.Union([text, texts, Type.Integer(), Type.Null()]) },
  },
)

export const Fault = Type.Object(
  { id: Type.Union([Type.Integer(), text]), faultCode: Type.Integer(), faultString: text },
  { title: 'Fault', additionalProperties: false },
)

export const Bugs = Type.Object({ bugs: Type.Array(Bug), faults: Type.Array(Fault) }, { additionalProperties: false })

/** With count_only there is only bug_count, and with explain only explanation. */
export const BugsFound = Type.Object(
  {
    bugs: Type.Optional(Type.Array(Bug)),
    faults: Type.Optional(Type.Array(Fault)),
    bug_count: Type.Optional(Type.Integer()),
    total_matches: Type.Optional(Type.Integer()),
    explanation: Type.Optional(SearchExplanation),
    next_cursor: Type.Optional(text),
    ignored: Type.Optional(texts),
  },
  { additionalProperties: false },
)

const UpdatedBug = Type.Object(
  { id: Type.Integer(), alias: texts, last_change_time: Time, changes: Changes },
  { title: 'UpdatedBug', additionalProperties: false },
)

export const BugsUpdated = Type.Object(
  { bugs: Type.Array(UpdatedBug), ignored: Type.Optional(texts) },
  { additionalProperties: false },
)

const RuleResult = Type.Object(
  { rule: text, holds: Type.Boolean() },
  { title: 'JudgedRule', additionalProperties: false },
)
const AccessDecision = Type.Object(
  { allowed: Type.Boolean(), rules: Type.Array(RuleResult) },
  { title: 'Judgement', additionalProperties: false },
)
const FieldAccess = Type.Object(
  { allowed: Type.Boolean(), rule: text },
  { title: 'FieldAccess', additionalProperties: false },
)

const GroupAccess = Type.Object(
  {
    name: text,
    can_remove: Type.Boolean(),
    kept_on_move: Type.Boolean({
      description: 'Whether the bug keeps the group when it moves to a product that does not use it.',
    }),
    rule: text,
  },
  { title: 'GroupAccess', additionalProperties: false },
)

export const Access = Type.Object(
  {
    id: Type.Integer(),
    user: text,
    see: AccessDecision,
    edit: AccessDecision,
    fields: Type.Record(text, FieldAccess),
    groups: Type.Array(GroupAccess, { description: 'The groups that the bug is restricted to.' }),
    addable_groups: Type.Array(text, { description: 'Other groups that the user can restrict the bug to.' }),
  },
  { title: 'BugAccess', additionalProperties: false },
)
