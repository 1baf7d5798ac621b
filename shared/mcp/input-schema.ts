import callSchemas from './call-schemas.json' with { type: 'json' }

/** A JSON schema, as far as tools use it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** The parameters of the calls that tools make, and the schemas of their answers, as the server defines them: scripts/call-schemas.ts writes them. */
const { params, answers } = callSchemas as {
  params: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  answers: Readonly<Record<string, { properties: Readonly<Record<string, JsonSchema>> }>>
}

export type CallName = keyof (typeof callSchemas)['params']

/**
 * Parameters of a call as arguments of a tool: with the same words, and only what a model needs, because each model reads all of it. How long
 * a text may be, the call checks.
 */
export function paramsOf(call: CallName, names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, forModels(params[call]?.[name], name)]))
}

export function namesOf(call: CallName): string[] {
  return Object.keys(params[call] ?? {})
}

const MOST_ITEMS = 50

function forModels(schema: JsonSchema | undefined, name: string): JsonSchema {
  if (schema === undefined) throw new Error(`No call has the parameter ${name}`)
  const { description, ...rest } = schema
  const plain = plainSchema(rest)
  return description === undefined ? plain : { ...plain, description }
}

function plainSchema(schema: JsonSchema): JsonSchema {
  const { anyOf, type, items, properties, required, maxItems } = schema as {
    anyOf?: readonly JsonSchema[]
    type?: string
    items?: JsonSchema
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
    maxItems?: number
  }
  if (anyOf !== undefined) {
    const list = anyOf.find((option) => option.type === 'array')
    return plainSchema(list ?? anyOf.find((option) => option.type === 'number') ?? { type: 'string' })
  }
  if (type === 'array')
    return {
      type,
      items: plainSchema(items ?? { type: 'string' }),
      maxItems: Math.min(maxItems ?? MOST_ITEMS, MOST_ITEMS),
    }
  if (type === 'object')
    return {
      type,
      properties: Object.fromEntries(Object.entries(properties ?? {}).map(([name, it]) => [name, plainPart(it)])),
      ...(required !== undefined && { required }),
      additionalProperties: false,
    }
  return { type }
}

function plainPart({ description, ...rest }: JsonSchema): JsonSchema {
  return { ...plainSchema(rest), ...(description !== undefined && { description }) }
}

/** The schema of an object in an answer. Everything may be missing, because it depends on rights, and on what is asked for. */
export function answerOf(title: keyof (typeof callSchemas)['answers'], names?: readonly string[]): JsonSchema {
  const { properties = {} } = answers[title] ?? {}
  const chosen =
    names === undefined ? properties : Object.fromEntries(names.map((name) => [name, properties[name] ?? {}]))
  return { type: 'object', properties: chosen }
}

/** The same with all but these. */
export function answerWithout(title: keyof (typeof callSchemas)['answers'], names: readonly string[]): JsonSchema {
  return answerOf(
    title,
    Object.keys(answers[title]?.properties ?? {}).filter((name) => !names.includes(name)),
  )
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties }
}

export function inputOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** Each with one type: some models know no lists of types. */
export function oneOf(options: readonly JsonSchema[], description?: string): JsonSchema {
  return { anyOf: options, ...(description !== undefined && { description }) }
}

/** Arguments that several tools have. */
export const BUG: JsonSchema = oneOf(
  [{ type: 'integer' }, { type: 'string', maxLength: 100 }],
  'Number or alias of a bug.',
)
export const REQUEST_ID: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x20-\\x7e]+$',
  description:
    'Any text of your own. Sent again with the same text within a day, the same call is carried out only once.',
}
/** Of tools that write. */
export const REASON: JsonSchema = {
  type: 'string',
  maxLength: 2000,
  description: 'Why, for the person who decides. Only has an effect if your access may propose but not write.',
}
const TEXT: JsonSchema = { type: 'string' }
export const CUSTOM_FIELDS: JsonSchema = {
  type: 'object',
  patternProperties: {
    '^cf_\\w{1,60}$': oneOf([TEXT, { type: 'number' }, { type: 'array', items: TEXT, maxItems: MOST_ITEMS }]),
  },
  additionalProperties: false,
  maxProperties: 50,
  description: 'Custom fields by their names, which begin with cf_. An empty text or list empties one.',
}
