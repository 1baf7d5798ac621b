import { Type } from '@sinclair/typebox'
import { errors } from '../../platform/errors.ts'
import { type Param, requireAtMost } from '../../platform/wire/params.ts'

/** Large products have thousands of components. */
const MOST_COMPONENTS = 5000

/** A product, whole or with some of its components, as a client names it. */
export interface FlagTypeScope {
  product: string
  /** Undefined for all of them, also those that will be made later. */
  components: readonly string[] | undefined
}

const COMPONENTS = Type.Record(
  Type.String(),
  Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: MOST_COMPONENTS }), Type.String()]),
  { description: 'Component names by product name.', maxProperties: MOST_COMPONENTS },
)

/** Places in every form that the interface has for them: `["A", "B"]`, `[{"A": ["Core"]}, "B"]` or `{"A": ["Core"]}`. */
export const places = (about: string): Param<FlagTypeScope[] | undefined> => ({
  about,
  schema: Type.Union([
    Type.Array(Type.Union([Type.String(), COMPONENTS]), { maxItems: MOST_COMPONENTS }),
    COMPONENTS,
    Type.String(),
  ]),
  isRequired: false,
  read(name, given) {
    if (given === undefined || given === null) return undefined
    const items = requireAtMost(MOST_COMPONENTS, name, Array.isArray(given) ? given : [given])
    return requireAtMost(
      MOST_COMPONENTS,
      name,
      items.flatMap((item) => placesIn(name, item)),
    )
  },
})

function placesIn(name: string, item: unknown): FlagTypeScope[] {
  if (typeof item === 'string') return [{ product: item, components: undefined }]
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw malformed(name, item)
  return Object.entries(item).map(([product, components]) => ({ product, components: componentsIn(name, components) }))
}

/** An empty list is refused: it could mean all components to one and none to another. */
function componentsIn(name: string, given: unknown): string[] {
  const components = typeof given === 'string' ? [given] : given
  const isList = Array.isArray(components) && components.length > 0
  if (!isList || components.some((component) => typeof component !== 'string')) throw malformed(name, given)
  return requireAtMost(MOST_COMPONENTS, name, components)
}

function malformed(name: string, value: unknown) {
  return errors.bad_value({
    name,
    value,
    right: 'it must hold names of products, and objects of lists of component names by product name',
  })
}
