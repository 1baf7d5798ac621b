import { sql } from 'kysely'
import type { Builder } from '../platform/database/statements/builder.ts'
import { emptyValue } from './conditions/compared.ts'
import { type Condition, never, withSubquery } from './conditions/condition.ts'
import { allOf, anyOf, isOneOf } from './conditions/conditions.ts'
import {
  INDEXED_OPERATORS,
  OPERATORS,
  type OperatorInput,
  operatorInput,
  type ValueOperator,
} from './conditions/operators.ts'
import type { Listed } from './named-ids.ts'
import { dependsOnBug, isPronoun, matchesPronoun } from './parsing/pronouns.ts'
import type { ReferenceCondition, SearchContext } from './search-context.ts'
import type { Reference, ReferenceTarget } from './searchable-field.ts'
import { MOST_IDS_IN_SQL } from './thresholds.ts'

/** Whether the operator holds for the row that a reference points to. The rows for which it holds are looked up first. */
export async function refers(
  context: SearchContext,
  it: Reference,
  operator: ValueOperator,
  input: OperatorInput,
): Promise<ReferenceCondition> {
  const { pronouns, rest } = pronounsIn(it, operator, input)
  const meant = pronouns.map((pronoun) => matchesPronoun(context, it.id, pronoun))
  const isNoneMeant = it.isOptional
    ? allOf([sql`${it.id} is null`, OPERATORS[operator](emptyValue, rest ?? input)])
    : never
  const found = rest === undefined ? undefined : await idsNamed(context, it.to, operator, rest)
  const isFound = found === undefined ? never : isAmong(it, found)
  const isIndexed = operator !== 'isnotempty' && found?.ids !== undefined && isNoneMeant === never
  return {
    holds: anyOf([...meant, isFound, rest === undefined ? never : isNoneMeant]),
    isIndexed: rest === undefined ? !pronouns.some(dependsOnBug) : isIndexed && !pronouns.some(dependsOnBug),
  }
}

/** The operators that understand pronouns. */
const PRONOUN_OPERATORS: ReadonlySet<ValueOperator> = new Set<ValueOperator>([
  'equals',
  'anyexact',
  'substring',
  'casesubstring',
  'anywords',
  'allwords',
  'anywordssubstr',
  'allwordssubstr',
])

/** The pronouns in the input, and the rest of the input, if there is any. */
function pronounsIn({ isPerson = false }: Reference, operator: ValueOperator, input: OperatorInput) {
  if (!isPerson || !PRONOUN_OPERATORS.has(operator)) return { pronouns: [], rest: input }
  const values = operator === 'anyexact' ? input.list : operator.includes('words') ? input.words : [input.text]
  const pronouns = values.filter(isPronoun)
  if (pronouns.length === 0) return { pronouns, rest: input }
  const rest = values.filter((value) => !isPronoun(value))
  return { pronouns, rest: rest.length === 0 ? undefined : operatorInput(rest) }
}

/** The rows whose names an operator finds. Those of the catalogue are looked up once and kept until it changes. */
export async function idsNamed(
  context: SearchContext,
  to: ReferenceTarget,
  operator: ValueOperator,
  input: OperatorInput,
): Promise<Listed> {
  const key = keyOf(to, operator, input)
  const known = key === undefined ? undefined : context.namedIds?.rows.get(key)
  if (known !== undefined) return known
  const found = await lookUp(context, to, OPERATORS[operator](to.name, input), INDEXED_OPERATORS.has(operator))
  if (key !== undefined) context.namedIds?.rows.set(key, found)
  return found
}

/** Those of the components that belong to one of the products. */
export async function componentsIn(
  { db, namedIds }: SearchContext,
  components: readonly number[],
  products: readonly number[],
): Promise<readonly number[]> {
  const key = `components ${components} of ${products}`
  const known = namedIds?.rows.get(key)?.ids
  if (known !== undefined) return known
  const found = await db.query((q) =>
    q.selectFrom('components').select('id').where('id', 'in', components).where('product_id', 'in', products),
  )
  const ids = found.map(({ id }) => id)
  namedIds?.rows.set(key, { ids, list: sql`(${sql.join(ids)})` })
  return ids
}

/** Longer lists of names are rare, and would take memory. */
const LONGEST_KEPT = 500

/** Substrings come from quicksearches, which look for each word in names. */
const KEPT_OPERATORS: ReadonlySet<ValueOperator> = new Set<ValueOperator>(['equals', 'anyexact', 'substring'])

function keyOf({ keptAs }: ReferenceTarget, operator: ValueOperator, { text, list }: OperatorInput) {
  if (keptAs === undefined || !KEPT_OPERATORS.has(operator)) return undefined
  const key = `${keptAs} ${operator === 'anyexact' ? JSON.stringify(list) : text}`
  return key.length > LONGEST_KEPT ? undefined : `${operator} ${key}`
}

async function lookUp(
  { db }: SearchContext,
  to: ReferenceTarget,
  holds: Condition,
  isIndexed: boolean,
): Promise<Listed> {
  if (holds === never) return { ids: [], list: sql`(null)` }
  const rows = sql`from ${sql.table(to.table)} where ${allOf([to.among, holds])}`
  const build = (q: Builder) => ({
    compile: () => sql<{ id: number }>`select id ${rows} limit ${MOST_IDS_IN_SQL + 1}`.compile(q),
  })
  // Reading the names of all users takes long, and must not delay other requests.
  const found = await (to.areMany && !isIndexed ? db.querySlowly(build) : db.query(build))
  if (found.length > MOST_IDS_IN_SQL) return { ids: undefined, list: sql`(select id ${rows})` }
  const ids = found.map(({ id }) => id)
  return { ids, list: sql`(${sql.join(ids)})` }
}

function isAmong({ id, isIn }: Reference, { ids, list }: Listed): Condition {
  if (ids?.length === 0) return never
  if (isIn) return isIn(list, (one) => ids?.includes(one) ?? true)
  return ids === undefined ? withSubquery(sql`${id} in ${list}`) : isOneOf(id, ids)
}
