import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { WrongSetting } from '../../platform/config/config.ts'

const strict = { additionalProperties: false }
const MOST_PEOPLE = 200

/** What LACEWING_SETUP says: everything that the assistant asks. */
const Plan = Type.Object(
  {
    administrator: Type.Optional(
      Type.Object(
        {
          login: Type.Optional(Type.String()),
          password: Type.Optional(Type.String()),
          real_name: Type.Optional(Type.String()),
        },
        strict,
      ),
    ),
    parameters: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.Object({}))]),
      ),
    ),
    product: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          description: Type.String(),
          version: Type.Optional(Type.String()),
          component: Type.Optional(Type.Object({ name: Type.String(), description: Type.String() }, strict)),
        },
        strict,
      ),
    ),
    people: Type.Optional(
      Type.Array(
        Type.Object(
          {
            login: Type.String(),
            real_name: Type.Optional(Type.String()),
            groups: Type.Optional(Type.Array(Type.String())),
          },
          strict,
        ),
        { maxItems: MOST_PEOPLE },
      ),
    ),
  },
  strict,
)

export type SetupPlan = Static<typeof Plan>

/** Throws with the first thing that is wrong. No value is repeated, because some are secrets. */
export function readSetupPlan(text: string | undefined): SetupPlan | undefined {
  if (text === undefined) return undefined
  const plan = jsonIn(text)
  if (plan === undefined) throw new WrongSetting('LACEWING_SETUP must be a JSON object: see docs/operating.md.')
  const [wrong] = Value.Errors(Plan, plan)
  if (wrong !== undefined)
    throw new WrongSetting(`LACEWING_SETUP is wrong at ${wrong.path || 'its beginning'}: ${wrong.message}.`)
  return plan as SetupPlan
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
