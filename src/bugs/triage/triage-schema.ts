import { Type } from '@sinclair/typebox'
import { RotationShape } from '../../catalogue/rotations/rotation-json.ts'

const PERSON = { id: Type.Integer(), name: Type.String({ description: 'Login name.' }), real_name: Type.String() }
export const TriagePerson = Type.Object(PERSON, { title: 'TriagePerson', additionalProperties: false })

const QUEUE = {
  id: Type.Integer(),
  name: Type.String(),
  group: Type.String({ description: 'Its members work in the queue.' }),
  rotation: Type.Union([RotationShape, Type.Null()]),
  aim_days: Type.Union([Type.Integer(), Type.Null()], { description: 'A bug should not wait for more days.' }),
  is_worker: Type.Boolean({ description: 'Whether the caller works in it.' }),
  can_change: Type.Boolean(),
  query: Type.Optional(
    Type.String({ description: 'Parameters of its search; only for callers who may change the queue.' }),
  ),
  bug_count: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Waiting bugs that the caller may see; null if the search is refused for the caller, or if the counts of a list take more than two seconds together.',
  }),
}

export const ListedQueue = Type.Object(QUEUE, { title: 'ListedTriageQueue', additionalProperties: false })

export const TriageClaim = Type.Object(
  { bug_id: Type.Integer(), person: TriagePerson, expires_at: Type.String() },
  { title: 'TriageClaim', additionalProperties: false },
)

const TriageDecision = Type.Object(
  {
    id: Type.Integer(),
    bug_id: Type.Integer(),
    person: TriagePerson,
    decision: Type.String(),
    at: Type.String(),
    until: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'TriageDecision', additionalProperties: false },
)

const TriageSnooze = Type.Object(
  { bug_id: Type.Integer(), until: Type.String(), person: TriagePerson },
  { title: 'TriageSnooze', additionalProperties: false },
)

export const WholeQueue = Type.Object(
  {
    ...QUEUE,
    bugs: Type.Array(Type.Integer(), { description: 'The numbers of the first 50 waiting bugs, the oldest first.' }),
    claims: Type.Array(TriageClaim, { description: 'Which bugs other users have open now.' }),
    snoozed: Type.Array(TriageSnooze),
    decided: Type.Array(TriageDecision, { description: 'What was decided since that time, the newest first.' }),
  },
  { title: 'TriageQueue', additionalProperties: false },
)

const COUNTED = {
  decisions: Type.Integer(),
  median_hours: Type.Union([Type.Number(), Type.Null()], { description: 'How long half of the bugs waited at most.' }),
}

export const TriageReport = Type.Object(
  {
    since: Type.String(),
    waiting: Type.Integer(),
    came_in: Type.Integer({
      description: 'Bugs filed in the period that wait in the queue, or about which something was decided in it.',
    }),
    ...COUNTED,
    kinds: Type.Array(
      Type.Object({ kind: Type.String(), ...COUNTED }, { title: 'TriageKindReport', additionalProperties: false }),
    ),
    users: Type.Array(
      Type.Object({ ...PERSON, ...COUNTED }, { title: 'TriageUserReport', additionalProperties: false }),
    ),
  },
  { title: 'TriageReport', additionalProperties: false },
)
