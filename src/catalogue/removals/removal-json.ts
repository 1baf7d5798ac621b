import { Type } from '@sinclair/typebox'
import { type Caller, isIn } from '../../access/caller.ts'
import { flag } from '../../platform/wire/params.ts'
import { FEW_BUGS, type Removal } from './removal.ts'

const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

export const RemovalShape = Type.Object(
  {
    id: Type.Integer(),
    class: Type.String({ description: 'What is removed, as the audit log names it.' }),
    object_id: Type.Integer(),
    name: Type.String(),
    replaced_with: Type.Union([Type.String(), Type.Null()], { description: 'What bugs get instead.' }),
    state: Type.String({ description: 'running, stopped, failed or done.' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
    who: Type.String({ description: 'Login name of the user who began it.' }),
    begun_at: Type.String({ format: 'date-time' }),
    ended_at: OptionalTime,
    bugs: Type.Optional(Type.Integer({ description: 'How many bugs had it at the begin; only for members of admin.' })),
    bugs_done: Type.Optional(Type.Integer({ description: 'How many of them are done; only for members of admin.' })),
  },
  { title: 'Removal', additionalProperties: false },
)

/** Only members of admin get numbers: they count bugs that others may not see. */
export function presentRemoval(removal: Removal, caller: Caller) {
  const { id, class: className, object_id, name, replacement_name, state, reason } = removal
  const { who, begun_at, ended_at, bugs, bugs_done } = removal
  return {
    id,
    class: `Tracker::${className}`,
    object_id,
    name,
    replaced_with: replacement_name,
    state,
    reason,
    who,
    begun_at,
    ended_at,
    ...(isIn(caller, 'admin') && { bugs, bugs_done: Math.min(bugs_done, bugs) }),
  }
}

/** The response of a deletion that may go on in steps. */
export const DeletedInSteps = Type.Object(
  { id: Type.Integer(), name: Type.String(), removal: Type.Optional(RemovalShape) },
  { title: 'DeletedInSteps', additionalProperties: false },
)

export function presentDeleted(
  { id, name }: { id: number; name: string },
  removal: Removal | undefined,
  caller: Caller,
) {
  return { id, name, ...(removal !== undefined && { removal: presentRemoval(removal, caller) }) }
}

export const inSteps = flag(
  `Go on after the response, some bugs at a time, if there are more than ${FEW_BUGS}. The response then has the removal.`,
)
