import { Type } from '@sinclair/typebox'
import { Source } from '../../changes/change-json.ts'
import type { ApiError } from '../../platform/errors.ts'
import { HistoryChange } from '../history/history-schema.ts'
import type { Conflict } from './undo.ts'

const closed = { additionalProperties: false } as const

const Kept = Type.Object(
  {
    bug_id: Type.Integer(),
    kind: Type.Union(
      (['comment', 'filed', 'attachment', 'hours', 'comment_text', 'answer'] as const).map((it) => Type.Literal(it)),
      { description: 'What stays as it is: an undo deletes nothing that was written.' },
    ),
    id: Type.Optional(Type.Integer({ description: 'Of the comment or the attachment.' })),
  },
  { title: 'KeptByUndo', ...closed },
)

const ShownConflict = Type.Object(
  {
    bug_id: Type.Integer(),
    field: Type.String(),
    removed: Type.String({ description: 'What the change removed.' }),
    added: Type.String({ description: 'What the change added.' }),
    now: Type.String({ description: 'What a later change has put there, which stays.' }),
    stays_with: Type.Optional(
      Type.String({ description: 'The field that was changed again, if this one only stays because of it.' }),
    ),
    who: Type.String({ description: 'Who made the later change.' }),
    when: Type.String({ format: 'date-time' }),
    change_id: Type.Optional(Type.Integer({ description: 'The later change.' })),
  },
  { title: 'UndoConflict', ...closed },
)

const Refusal = Type.Object(
  {
    bug_id: Type.Integer(),
    code: Type.Integer({ description: 'Number of the error.' }),
    reason: Type.String({ description: 'Name of the error.' }),
    message: Type.String(),
    field: Type.Optional(Type.String()),
  },
  { title: 'UndoRefusal', ...closed },
)

const Undone = Type.Object(
  {
    bug_id: Type.Integer(),
    changes: Type.Record(Type.String(), Type.Object({ removed: Type.String(), added: Type.String() }, closed)),
  },
  { title: 'UndoneBug', ...closed },
)

const result = {
  dry_run: Type.Boolean(),
  tag: Type.String({ description: 'Stands for the bugs as they are; see If-Match.' }),
  conflicts: Type.Array(ShownConflict),
  refused: Type.Array(Refusal),
  undone: Type.Array(Undone),
  unchanged: Type.Array(Type.Integer(), { description: 'Bugs on which nothing was to be done, by number.' }),
  kept: Type.Array(Kept),
  change_id: Type.Optional(Type.Integer({ description: 'The change that undoes; missing if nothing was changed.' })),
  bugs: Type.Integer({ description: 'How many bugs the call has looked at.' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'The parameter `after` of the next call; null if everything was looked at.',
  }),
}

export const UndoResult = Type.Object(
  { ...result, total: Type.Integer({ description: 'How many bugs of the change the caller sees.' }) },
  { title: 'UndoResult', ...closed },
)

export const UndoOfManyResult = Type.Object(result, { title: 'UndoOfManyResult', ...closed })

const BugOfChange = Type.Object(
  {
    id: Type.Integer(),
    changes: Type.Array(HistoryChange),
    kept: Type.Array(Type.Omit(Kept, ['bug_id'], { title: 'WrittenInChange', ...closed }), {
      description: 'What an undo leaves as it is.',
    }),
  },
  { title: 'BugOfChange', ...closed },
)

export const Change = Type.Object(
  {
    id: Type.Integer(),
    when: Type.String({ format: 'date-time' }),
    who: Type.String(),
    source: Source,
    undoes: Type.Optional(Type.Integer({ description: 'The change that this one has undone.' })),
    total: Type.Integer({ description: 'How many bugs of the change the caller sees.' }),
    bugs: Type.Array(BugOfChange),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The parameter `after` of the next call; null if there are no more bugs.',
    }),
  },
  { title: 'MadeChange', ...closed },
)

export function presentConflict(bugId: number, { field, removed, added, now, later, staysWith }: Conflict) {
  const { change_ref } = later
  return {
    ...{ bug_id: bugId, field, removed, added, now, who: later.who, when: later.at },
    ...(staysWith !== undefined && { stays_with: staysWith }),
    ...(change_ref !== null && change_ref > 0 && { change_id: change_ref }),
  }
}

export function presentRefusal(bugId: number, { code, reason, message, field }: ApiError) {
  return { bug_id: bugId, code, reason, message, ...(field !== undefined && { field }) }
}
