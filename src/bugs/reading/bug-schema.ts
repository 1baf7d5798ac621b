import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FieldKind } from '../../../shared/bug-fields/bug-field.ts'
import type { BUG_FIELDS } from '../../../shared/bug-fields/bug-fields.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { Reason } from '../../platform/wire/openapi/openapi-schemas.ts'
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

const SCHEMAS = {
  id: Type.Integer(),
  line: text,
  text,
  choice: text,
  place: text,
  user: text,
  users: texts,
  bug: Type.Union([Type.Integer(), Type.Null()]),
  bugs: ids,
  links: texts,
  names: texts,
  keywords: texts,
  groups: texts,
  flags: Type.Array(Flag),
  time: Time,
  date: Type.Union([text, Type.Null()]),
  hours: Type.Number(),
  number: Type.Number(),
  'yes or no': Type.Boolean(),
} satisfies Partial<Record<FieldKind, TSchema>>

type Returned = Exclude<Extract<(typeof BUG_FIELDS)[number], { returned: string }>, { kind: 'person details' }>

/** The fields that every bug has, unless include_fields or exclude_fields leaves them out. */
type AlwaysReturned = Extract<Returned, { isAlwaysReturned: true }>
const FIELDS = {
  ...(schemasOf('always') as { [Field in AlwaysReturned as Field['name']]: (typeof SCHEMAS)[Field['kind']] }),
  creator_detail: person,
  assigned_to_detail: person,
  cc_detail: Type.Array(person),
}

/** Fields that depend on the caller's rights or are returned only on request. */
type SometimesReturned = Exclude<Returned, { isAlwaysReturned: true }>
const MORE_FIELDS = {
  ...(schemasOf('sometimes') as { [Field in SometimesReturned as Field['name']]: (typeof SCHEMAS)[Field['kind']] }),
  qa_contact_detail: person,
  triage_owner_detail: person,
  update_token: text,
  comment_count: Type.Integer(),
  description: text,
  comments: Type.Array(Comment),
  history: Type.Array(HistoryEntry),
  attachments: Type.Array(Type.Partial(Attachment, { title: 'BugAttachment', additionalProperties: false })),
}

function schemasOf(which: 'always' | 'sometimes'): Record<string, TSchema> {
  const chosen = bugFields.filter(
    ({ returned, isAlwaysReturned = false }) => returned !== undefined && isAlwaysReturned === (which === 'always'),
  )
  const schemas = new Map<string, TSchema>(Object.entries(SCHEMAS))
  return Object.fromEntries(
    chosen.flatMap(({ name, kind }) => {
      const schema = schemas.get(kind)
      return schema === undefined ? [] : [[name, schema]]
    }),
  )
}

const BugObject = Type.Object(
  { ...FIELDS, ...optional(MORE_FIELDS) },
  {
    title: 'Bug',
    additionalProperties: false,
    patternProperties: { '^cf_': Type.Union([text, texts, Type.Integer(), Type.Null()]) },
  },
)

/** Custom fields are properties whose names start with `cf_`. */
export type CustomValue = string | string[] | number | null

export const Bug = Type.Unsafe<Static<typeof BugObject> & { [custom: `cf_${string}`]: CustomValue | undefined }>(
  BugObject,
)

export const Fault = Type.Object(
  { id: Type.Union([Type.Integer(), text]), faultCode: Type.Integer(), faultString: text, reason: Reason },
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
    edit_comments: Type.Object(
      { any: Type.Boolean(), description: Type.Boolean(), own: Type.Boolean(), minutes: Type.Integer() },
      {
        additionalProperties: false,
        description:
          'Which comments the user may edit: any, the description, and their own, those for some minutes (0 is no limit) after they were written.',
      },
    ),
    addable_groups: Type.Array(text, { description: 'Other groups that the user can restrict the bug to.' }),
  },
  { title: 'BugAccess', additionalProperties: false },
)
