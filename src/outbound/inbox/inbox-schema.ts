import { type TInteger, Type } from '@sinclair/typebox'
import { REASON_GROUPS, REASONS, type ReasonGroup } from '../../../shared/reasons.ts'
import { HistoryChange } from '../../bugs/history/history-schema.ts'
import { Source } from '../../changes/change-json.ts'

const strict = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })

export const InboxStates = Type.Union([Type.Literal('open'), Type.Literal('done'), Type.Literal('snoozed')])

export const InboxEntry = Type.Object(
  {
    id: Type.Integer({ description: 'The number of the bug.' }),
    summary: Type.String(),
    status: Type.String(),
    resolution: Type.String(),
    product: Type.String(),
    component: Type.String(),
    reasons: Type.Array(Type.Union(REASONS.map(({ name }) => Type.Literal(name))), {
      description: 'Why it is here, the strongest reason first.',
    }),
    state: InboxStates,
    is_unread: Type.Boolean(),
    time: Type.String({ format: 'date-time', description: 'Of the newest change, or of when it was put away.' }),
    new_count: Type.Integer({ description: 'How many times others changed it since it was read; at most 100.' }),
    new_since: Type.Optional(Type.String({ format: 'date-time', description: 'The first of these times.' })),
    mark: Type.String({ description: 'How far the entry goes: give it back to put away only what was seen.' }),
    requests: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'Of the flag.' }),
          name: Type.String(),
          setter: Type.String(),
          setter_name: Type.String(),
          time: Time,
          attachment_id: Type.Optional(Type.Integer()),
        },
        { title: 'InboxRequest', ...strict },
      ),
    ),
    reminders: Type.Array(
      Type.Object(
        { id: Type.Integer(), note: Type.String(), reminder_ts: Type.String({ format: 'date' }) },
        { title: 'InboxReminder', ...strict },
      ),
      { description: 'Those that are due.' },
    ),
    last: Type.Optional(
      Type.Object(
        {
          user: Type.String(),
          user_id: Type.Integer(),
          user_name: Type.String(),
          time: Time,
          change_id: Type.Optional(Type.Integer({ description: 'The call that made the change.' })),
          source: Source,
          undoes: Type.Optional(Type.Integer({ description: 'The change that it has undone.' })),
          changes: Type.Array(HistoryChange),
          comment: Type.Optional(Type.String({ description: 'Its first 200 characters.' })),
          comment_count: Type.Optional(Type.Integer()),
        },
        { title: 'InboxChange', ...strict },
      ),
    ),
    snoozed_until: Type.Optional(Time),
    put_away_time: Type.Optional(Time),
  },
  { title: 'InboxEntry', ...strict },
)

export const InboxCounts = Type.Object(
  {
    open: Type.Integer(),
    unread: Type.Integer(),
    snoozed: Type.Integer(),
    done: Type.Integer(),
    reasons: Type.Object(
      Object.fromEntries(REASON_GROUPS.map(({ name }) => [name, Type.Integer()])) as Record<ReasonGroup, TInteger>,
      strict,
    ),
  },
  { title: 'InboxCounts', ...strict },
)

export const Inbox = Type.Object(
  { entries: Type.Array(InboxEntry), total: Type.Integer(), counts: InboxCounts },
  { title: 'Inbox', ...strict },
)

export const InboxChanged = Type.Object(
  {
    changed: Type.Array(Type.Integer(), { description: 'The bugs whose entries have changed.' }),
    undo: Type.Union([Type.String(), Type.Null()], {
      description: 'For the call undo, for an hour; null if nothing has changed.',
    }),
  },
  { title: 'InboxChanged', ...strict },
)
