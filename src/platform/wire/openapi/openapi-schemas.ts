import { type TSchema, Type } from '@sinclair/typebox'
import { errorNumbers } from '../../errors.ts'

/** A JSON schema, as far as this file inspects it. */
type Schema = Readonly<Record<string, unknown>>

/** The stable name of an error. */
export const Reason = Type.String({
  title: 'Reason',
  description: 'Which error it is. A name never changes its meaning; a later release can have more of them.',
  enum: Object.keys(errorNumbers).sort(),
})

const Plain = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

export const ErrorBody = Type.Object(
  {
    error: Type.Literal(true),
    code: Type.Integer(),
    message: Type.String(),
    documentation: Type.String({ format: 'uri' }),
    reason: Reason,
    field: Type.Optional(
      Type.String({ description: 'The field of the bug, or of the object that is changed, that the error is about.' }),
    ),
    parameter: Type.Optional(Type.String({ description: 'The parameter of the call that the error is about.' })),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Plain, Type.Array(Plain)]), {
        description:
          'The data in the message, such as the value that was sent or the largest one that is allowed (most). limit is the name of the limit, where a reason stands for several.',
      }),
    ),
  },
  { title: 'Error', additionalProperties: false },
)

/** Schemas with a title appear once in the document, under that name; elsewhere they are referenced. */
export class NamedSchemas {
  private readonly known = new Map<string, Schema>()
  /** Most calls have some schemas in common, such as that of errors. */
  private readonly referenced = new Map<Schema, Schema>()

  /** The schema for the document: a reference if it has a name, and the same for all its parts. */
  reference(typed: Schema | TSchema): Schema {
    const schema = typed as Schema
    const reference = this.referenced.get(schema) ?? this.newReference(schema)
    this.referenced.set(schema, reference)
    return reference
  }

  byName(): Record<string, Schema> {
    return Object.fromEntries([...this.known].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  private newReference(schema: Schema): Schema {
    const { title } = schema
    if (typeof title !== 'string') return this.withReferences(schema)
    const described = this.withReferences(schema)
    const before = this.known.get(title)
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(described))
      throw new Error(`Two different schemas have the title ${title}`)
    this.known.set(title, described)
    return { $ref: `#/components/schemas/${title}` }
  }

  private withReferences(schema: Schema): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.part(key, value)]))
  }

  private part(key: string, value: unknown): unknown {
    if (SCHEMA_LISTS.has(key)) return (value as Schema[]).map((item) => this.reference(item))
    if (SCHEMAS_BY_NAME.has(key))
      return Object.fromEntries(
        Object.entries(value as Schema).map(([name, it]) => [name, this.reference(it as Schema)]),
      )
    return key === 'items' || key === 'not' ? this.reference(value as Schema) : value
  }
}

const SCHEMA_LISTS = new Set(['anyOf', 'allOf', 'oneOf'])
const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties'])
