import { sql } from 'kysely'
import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { bugsVisibleTo, viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { preparePatterns } from '../../platform/dialects/postgres-pattern.ts'
import { errors } from '../../platform/errors.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import type { Criterion, Query } from '../parsing/query.ts'
import { refers } from '../references.ts'
import type { SearchContext } from '../search-context.ts'
import { countTerms, patternsIn, requireSmall } from '../search-limits.ts'
import { isReference } from '../searchable-field.ts'
import { findSearchable, getSearchable } from '../searchable-fields.ts'
import type { KnownTexts } from '../text/known-texts.ts'
import { BUGS_OF_A_PERSON, MOST_TERMS_PLANNED_TOGETHER } from '../thresholds.ts'
import { changeCondition, type ItemCondition, isChangeOperator } from './change-conditions.ts'
import { always, type Condition, never, withFacts } from './condition.ts'
import { allOf, anyOf, not, plannedSeparately } from './conditions.ts'
import { contentCondition, textsKnownFor } from './content.ts'
import { INDEXED_OPERATORS, isValueOperator, OPERATORS, OPPOSITES, operatorInput, WORD_BY_WORD } from './operators.ts'
import { idleSince } from './owner-idle-time.ts'
import { hasItem } from './search-items.ts'
import { isScanned, isTextTest } from './text-conditions.ts'

/** A query for the bugs that the caller may see and for which a condition holds. Callers add columns and order. */
export function bugsWith({ db: { dialect }, settings, caller }: SearchContext, condition: Condition) {
  const hasTime = dialect.requireTime(sql.ref<number>('bugs.id')) ?? always
  return (builder: Builder) =>
    bugsVisibleTo(builder, dialect, settings, viewerOf(caller)).where(allOf([hasTime, condition]))
}

/** The query as a condition on the table `bugs`. Names are looked up now, and every value in the SQL is bound. */
export async function compile(context: SearchContext, query: Query, texts?: KnownTexts): Promise<Condition> {
  requireSmall(query)
  const isLarge = context.db.dialect.plansTogether && countTerms(query) > MOST_TERMS_PLANNED_TOGETHER
  const known = texts ?? { ...(await textsKnownFor(context, query)), common: new Set() }
  const patterns = patternsIn(query)
  if (patterns.length > 0) await preparePatterns(patterns)
  return conditionOf({ ...context, texts: known, isLarge }, query)
}

async function conditionOf(context: SearchContext, query: Query): Promise<Condition> {
  if ('all' in query) return allOf(await eachInSlices(context, query.all, (part) => conditionOf(context, part)))
  if ('any' in query) return anyOf(await eachInSlices(context, query.any, (part) => conditionOf(context, part)))
  if ('not' in query) return not(await conditionOf(context, query.not))
  return 'sameItem' in query ? apart(context, await sameItem(context, query.sameItem)) : holds(context, query)
}

/** A few at a time, so that a large query neither keeps the event loop nor fills the queue of slow reads. */
async function eachInSlices<Part, Made>(
  { db }: SearchContext,
  parts: readonly Part[],
  make: (part: Part) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  for (let start = 0; start < parts.length; start += PARTS_TOGETHER) {
    if (start > 0 && isTurnLong()) await laterTurn(db.limits.caller)
    made.push(...(await Promise.all(parts.slice(start, start + PARTS_TOGETHER).map(make))))
  }
  return made
}

const PARTS_TOGETHER = 8

/** Of a large query, each subquery is planned by itself; see Dialect.plansTogether. */
function apart({ isLarge }: SearchContext, condition: Condition): Condition {
  return isLarge && condition.hasSubquery ? plannedSeparately(condition) : condition
}

/** Whether the criterion holds for the bug itself or for one of its items. */
async function holds(context: SearchContext, criterion: Criterion): Promise<Condition> {
  const opposite = OPPOSITES[criterion.operator]
  if (opposite !== undefined) return not(await holds(context, { ...criterion, operator: opposite }))
  const single = WORD_BY_WORD[criterion.operator]
  if (single !== undefined && findSearchable(context, criterion.field)?.items !== undefined) {
    const { words } = operatorInput(criterion.value)
    const hasWord = (word: string) => holds(context, { ...criterion, operator: single, value: [word] })
    return allOf(await eachInSlices(context, words, hasWord))
  }
  return apart(context, inItem(context, await itemCondition(context, criterion)))
}

function inItem(context: SearchContext, { items, holds: condition, isIndexed }: ItemCondition): Condition {
  if (items === undefined) return ofBug(context, condition)
  return hasItem(context.db.dialect, items, [condition], isIndexed, context.texts.range)
}

function ofBug({ db }: SearchContext, condition: Condition): Condition {
  return isTextTest(condition) ? isScanned(db.dialect.builder, { where: always }, condition) : condition
}

/** Whether each kind has one item for which all its criteria hold. Criteria on the bug itself must hold as well. */
async function sameItem(context: SearchContext, criteria: readonly Criterion[]): Promise<Condition> {
  const all = await eachInSlices(context, criteria, (criterion) => conditionOnOneItem(context, criterion))
  const kinds = Map.groupBy(all, ({ items }) => items?.name)
  return allOf(
    [...kinds.values()].map((ofKind) => {
      const items = ofKind[0]?.items
      const conditions = ofKind.map((it) => it.holds)
      const isIndexed = ofKind.some((it) => it.isIndexed)
      if (items === undefined) return allOf(conditions.map((condition) => ofBug(context, condition)))
      return hasItem(context.db.dialect, items, conditions, isIndexed, context.texts.range)
    }),
  )
}

/** The condition on one item: a negative operator is negated for this item, and not for all items of the bug. */
async function conditionOnOneItem(context: SearchContext, criterion: Criterion): Promise<ItemCondition> {
  const opposite = OPPOSITES[criterion.operator]
  if (opposite === undefined) return itemCondition(context, criterion)
  const denied = await itemCondition(context, { ...criterion, operator: opposite })
  return { ...denied, holds: not(denied.holds), isIndexed: false }
}

async function itemCondition(context: SearchContext, criterion: Criterion): Promise<ItemCondition> {
  const { field, operator } = criterion
  const name = fieldNameOf(field)
  if (name === 'content' || operator === 'matches') return contentCondition(context, criterion)
  if (name === 'owner_idle_time') return idleSince(context, criterion)
  if (isChangeOperator(operator)) return changeCondition(context, criterion, operator)
  if (!isValueOperator(operator)) throw errors.search_operator_wrong({ criterion: field, operator })
  const { items, value } = getSearchable(context, field, criterion.sentAs)
  const input = operatorInput(criterion.value)
  if (isReference(value)) {
    const found = context.references?.get(criterion) ?? refers(context, value, operator, input)
    context.references?.set(criterion, found)
    return withDirectCandidates({ items, ...(await found) }, value.isPerson)
  }
  const condition = OPERATORS[operator](value, input)
  const isIndexed = INDEXED_OPERATORS.has(operator) && !isTextTest(condition)
  return withDirectCandidates({ items, holds: condition, isIndexed }, name === 'bug_id')
}

/** Of the fields of the bug itself, those of people and the id are indexed, and the engine starts with these indexes. */
function withDirectCandidates(item: ItemCondition, isNarrow = false): ItemCondition {
  if (!isNarrow || item.items !== undefined || !item.isIndexed || item.holds === never) return item
  const ids = sql`select bugs.id from bugs where ${item.holds}`
  return {
    ...item,
    holds: withFacts(item.holds, { candidates: { lists: [{ ids }], estimate: BUGS_OF_A_PERSON, isDirect: true } }),
  }
}
