import { BoundedCache } from '../../bounded-cache.ts'
import type { Statement } from './statement.ts'

/** Per family. Clients use few combinations of fields, but a hostile one can invent any number. */
const MOST_VARIANTS = 200

/**
 * Statements that differ in what they select or which rules they apply. Each variant is built when it is first needed;
 * `keyOf` identifies it.
 */
export function statementFamily<Variant, Params extends object, Row>(
  keyOf: (variant: Variant) => string,
  write: (variant: Variant) => Statement<Params, Row>,
): (variant: Variant) => Statement<Params, Row> {
  const statements = new BoundedCache<Statement<Params, Row>>(MOST_VARIANTS)
  return (variant) => {
    const key = keyOf(variant)
    return statements.get(key) ?? statements.set(key, write(variant))
  }
}
