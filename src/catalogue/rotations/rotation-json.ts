import { Type } from '@sinclair/typebox'
import { type IsThere, type Rotation, type RotationMember, turnsFrom } from './rotation.ts'

const Person = Type.Object(
  { id: Type.Integer(), name: Type.String({ description: 'Login name.' }), real_name: Type.String() },
  { title: 'RotationPerson', additionalProperties: false },
)
const Turn = Type.Object(
  {
    from: Type.String(),
    until: Type.String(),
    person: Type.Union([Person, Type.Null()], { description: 'Null if nobody is there.' }),
  },
  { title: 'RotationTurn', additionalProperties: false },
)

export const RotationShape = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    period: Type.String({ description: 'day, week or two weeks.' }),
    start: Type.String(),
    time_zone: Type.String(),
    users: Type.Array(Person, { description: 'In their order.' }),
    turns: Type.Array(Turn, { description: 'The turn that it is now, and the next three.' }),
  },
  { title: 'Rotation', additionalProperties: false },
)

const TURNS_SHOWN = 4

export function presentRotation(rotation: Rotation, now: number, isThere: IsThere) {
  const { id, name, period, starts_at, time_zone, members } = rotation
  return {
    id,
    name,
    period,
    start: starts_at,
    time_zone,
    users: members.map(presentMember),
    turns: turnsFrom(rotation, now, TURNS_SHOWN, isThere).map(({ from, until, member }) => ({
      from,
      until,
      person: member === undefined ? null : presentMember(member),
    })),
  }
}

export function presentMember({ id, login, real_name }: RotationMember) {
  return { id, name: login, real_name }
}
