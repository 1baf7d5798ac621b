import { Type } from '@sinclair/typebox'
import { Source } from '../../changes/change-json.ts'

export const HistoryChange = Type.Object(
  {
    field_name: Type.String(),
    removed: Type.String(),
    added: Type.String(),
    attachment_id: Type.Optional(Type.Integer()),
  },
  { title: 'HistoryChange', additionalProperties: false },
)

export const HistoryEntry = Type.Object(
  {
    when: Type.String({ format: 'date-time' }),
    who: Type.String(),
    changes: Type.Array(HistoryChange),
    change_id: Type.Optional(
      Type.Integer({ description: 'The call that made the changes; missing if it is not known.' }),
    ),
    source: Source,
    undoes: Type.Optional(Type.Integer({ description: 'The change that these changes have undone.' })),
  },
  { title: 'HistoryEntry', additionalProperties: false },
)

const BugHistory = Type.Object(
  { id: Type.Integer(), alias: Type.Array(Type.String()), history: Type.Array(HistoryEntry) },
  { title: 'BugHistory', additionalProperties: false },
)

export const Histories = Type.Object({ bugs: Type.Array(BugHistory) }, { additionalProperties: false })
