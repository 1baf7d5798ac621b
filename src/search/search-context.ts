import type { CallContext } from '../access/call.ts'
import type { Caller } from '../access/caller.ts'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { FieldDefinitions } from '../catalogue/fields/field.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { LimitedDb } from '../platform/database/db.ts'
import type { Condition } from './conditions/condition.ts'
import type { SearchPlan } from './listing/search-plan.ts'
import type { Criterion } from './parsing/query.ts'
import { type KnownTexts, nothingKnown } from './text/known-texts.ts'

/** Who asks and when, and what the words of a question mean at this moment: all that parsers and the compiler know besides the question. */
export interface SearchContext {
  readonly db: LimitedDb
  readonly caller: Caller
  readonly settings: Settings
  readonly groups: GroupGraph
  readonly fields: FieldDefinitions
  /** Where the bugs of this installation are, by which links between them are known. */
  readonly baseUrl: string
  /** In milliseconds; what relative dates are counted from. */
  readonly now: number
  /** What was found out about the texts of the question. */
  readonly texts: KnownTexts
  /** There are so many conditions that each is planned by itself; see Dialect.plansTogether. */
  readonly isLarge?: boolean
  /** The names that were looked up for a criterion, where a search is compiled several times. */
  readonly references?: Map<Criterion, Promise<ReferenceCondition>>
  /** Called with each plan before it is carried out; see explain-search.ts. */
  readonly onPlan?: (plan: SearchPlan) => void
}

/** What a name leads to, as a condition on what is said to have it. */
export interface ReferenceCondition {
  readonly holds: Condition
  /** An index leads to it. */
  readonly isIndexed: boolean
}

export type SearchRequest = Pick<
  CallContext,
  'db' | 'request' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'baseUrl'
>

export async function searchContextOf(callContext: SearchRequest): Promise<SearchContext> {
  const { request, caller, settings, groups, catalogue, baseUrl } = callContext
  const db = callContext.db.within(request.readLimits)
  const fields = await catalogue(keptFields)
  return { db, caller, settings, groups, fields, baseUrl, now: Date.now(), texts: nothingKnown }
}
