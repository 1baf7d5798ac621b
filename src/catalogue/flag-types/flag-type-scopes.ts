import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import { type Param, requireAtMost } from '../../platform/wire/params.ts'

/** Large products have thousands of components. */
const MOST_COMPONENTS = 5000

/** A product or some of its components, as a client names them. */
export interface FlagTypeScope {
  product: string
  /** Undefined for all components, also future ones. */
  components: readonly string[] | undefined
}

const COMPONENTS = Type.Record(
  Type.String(),
  Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: MOST_COMPONENTS }), Type.String()]),
  { description: 'Component names by product name.', maxProperties: MOST_COMPONENTS },
)

/** Scopes in all forms of the REST API: `["A", "B"]`, `[{"A": ["Core"]}, "B"]` or `{"A": ["Core"]}`. */
export const scopes = (about: string): Param<FlagTypeScope[] | undefined> => ({
  about,
  schema: Type.Union([
    Type.Array(Type.Union([Type.String(), COMPONENTS]), { maxItems: MOST_COMPONENTS }),
    COMPONENTS,
    Type.String(),
  ]),
  isRequired: false,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    const items = requireAtMost(MOST_COMPONENTS, name, Array.isArray(input) ? input : [input])
    return requireAtMost(
      MOST_COMPONENTS,
      name,
      items.flatMap((item) => scopesIn(name, item)),
    )
  },
})

function scopesIn(name: string, item: unknown): FlagTypeScope[] {
  if (typeof item === 'string') return [{ product: item, components: undefined }]
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw malformed(name, item)
  return Object.entries(item).map(([product, components]) => ({ product, components: componentsIn(name, components) }))
}

/** An empty list is refused, because it could mean all components or none. */
function componentsIn(name: string, input: unknown): string[] {
  const components = typeof input === 'string' ? [input] : input
  const isList = Array.isArray(components) && components.length > 0
  if (!isList || components.some((component) => typeof component !== 'string')) throw malformed(name, input)
  return requireAtMost(MOST_COMPONENTS, name, components)
}

function malformed(name: string, value: unknown) {
  return errors.bad_value({
    name,
    value,
    right: 'it must be a list of product names, or of objects from product names to lists of component names',
  })
}
