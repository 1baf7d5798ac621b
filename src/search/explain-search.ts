import { type Static, Type } from '@sinclair/typebox'
import { type RecordedStatement, RecordingDb } from '../platform/database/slow-reads/recording-db.ts'
import { isIndexDriven } from './conditions/candidates.ts'
import type { SearchPlan } from './listing/search-plan.ts'
import type { SearchContext } from './search-context.ts'
import type { KnownTexts } from './text/known-texts.ts'

const text = Type.String()
const count = Type.Integer()

const Candidates = Type.Object(
  {
    estimate: count,
    lists: count,
    intersected: Type.Array(count),
    used: Type.Boolean(),
  },
  { title: 'SearchCandidates', additionalProperties: false },
)

const Plan = Type.Object(
  {
    strategy: text,
    candidates: Type.Union([Candidates, Type.Null()]),
    texts: Type.Array(
      Type.Object(
        { text, estimate: count, is_common: Type.Boolean() },
        { title: 'SearchText', additionalProperties: false },
      ),
    ),
    decisions: Type.Array(
      Type.Object(
        { threshold: text, limit: count, actual: count },
        { title: 'SearchDecision', additionalProperties: false },
      ),
    ),
  },
  { title: 'SearchPlan', additionalProperties: false },
)

const StatementRun = Type.Object(
  { sql: text, runs: count, milliseconds: Type.Number(), plan: Type.Array(text) },
  { title: 'SearchStatement', additionalProperties: false },
)

export const SearchExplanation = Type.Object(
  { engine: text, plans: Type.Array(Plan), statements: Type.Array(StatementRun) },
  { title: 'SearchExplanation', additionalProperties: false },
)

/** Runs a search, and returns how it was carried out instead of what it found. */
export async function explainSearch(
  context: SearchContext,
  run: (context: SearchContext) => Promise<unknown>,
): Promise<Static<typeof SearchExplanation>> {
  const plans: SearchPlan[] = []
  const db = new RecordingDb(context.db)
  await run({ ...context, db, onPlan: (plan) => plans.push(plan) })
  const statements = await db.statements()
  return { engine: db.dialect.engine, plans: plans.map(presentPlan), statements: statements.map(presentStatement) }
}

function presentPlan(plan: SearchPlan): Static<typeof Plan> {
  const { strategy, decisions } = plan
  if (plan.strategy === 'by_columns' || plan.strategy === 'by_texts')
    return { strategy, candidates: null, texts: [], decisions: [...decisions] }
  const { candidates } = plan.condition
  return {
    strategy,
    candidates: candidates
      ? {
          estimate: candidates.estimate,
          lists: candidates.lists.length,
          intersected: [...(candidates.intersected ?? [])],
          used: candidates.isDirect === true || isIndexDriven(candidates),
        }
      : null,
    texts: presentTexts(plan.texts),
    decisions: [...decisions],
  }
}

function presentTexts({ parts, places, common }: KnownTexts): Static<typeof Plan>['texts'] {
  return [
    ...[...parts].map(([part, { estimate }]) => ({ text: part, estimate, is_common: false })),
    ...[...places].map(([term, estimate]) => ({ text: `content ${term}`, estimate, is_common: common.has(term) })),
  ]
}

function presentStatement({ sql, runs, milliseconds, plan }: RecordedStatement): Static<typeof StatementRun> {
  return { sql, runs, milliseconds: Math.round(milliseconds * 10) / 10, plan: [...plan] }
}
