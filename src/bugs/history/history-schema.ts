import { Type } from '@sinclair/typebox'

const Change = Type.Object(
  {
    field_name: Type.String(),
    removed: Type.String(),
    added: Type.String(),
    attachment_id: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)

export const HistoryEntry = Type.Object(
  { when: Type.String({ format: 'date-time' }), who: Type.String(), changes: Type.Array(Change) },
  { additionalProperties: false },
)

const BugHistory = Type.Object(
  { id: Type.Integer(), alias: Type.Array(Type.String()), history: Type.Array(HistoryEntry) },
  { additionalProperties: false },
)

export const Histories = Type.Object({ bugs: Type.Array(BugHistory) }, { additionalProperties: false })
