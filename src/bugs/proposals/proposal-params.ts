import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import { type Param, type ParamValues, readText } from '../../platform/wire/params.ts'

const LONGEST_REASON = 2000
const MOST_REASONS = 50

const reason: Param<string | undefined> = {
  about: `Why, in at most ${LONGEST_REASON} characters. Only for API keys with the scope propose; otherwise it has no effect.`,
  schema: Type.String({ maxLength: LONGEST_REASON }),
  isRequired: false,
  read: (name, input) => (input === undefined || input === null ? undefined : reasonIn(name, input)),
}

const reasons: Param<ReadonlyMap<string, string> | undefined> = {
  about: `The reasons for single fields: an object from names of fields to texts. At most ${MOST_REASONS}.`,
  schema: Type.Record(Type.String(), Type.String({ maxLength: LONGEST_REASON }), { maxProperties: MOST_REASONS }),
  isRequired: false,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    if (typeof input !== 'object' || Array.isArray(input))
      throw errors.bad_value({ name, value: input, right: 'it must be an object from names of fields to texts' })
    const entries = Object.entries(input)
    if (entries.length > MOST_REASONS) throw errors.list_too_long({ name, most: MOST_REASONS })
    return new Map(entries.map(([field, text]) => [field, reasonIn(`${name}.${field}`, text)]))
  },
}

function reasonIn(name: string, input: unknown): string {
  const text = readText(name, input).trim()
  if (text.length > LONGEST_REASON) throw errors.text_too_long({ name, most: LONGEST_REASON })
  return text
}

/** Parameters of every call that can propose. A client that knows nothing of proposals sends none. */
export const PROPOSAL_PARAMS = { proposal_reason: reason, proposal_reasons: reasons }

export type ProposalParams = ParamValues<typeof PROPOSAL_PARAMS>
