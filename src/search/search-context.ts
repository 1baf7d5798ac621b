import type { CallContext } from '../access/call.ts'
import type { Caller } from '../access/caller.ts'
import type { GroupGraph } from '../access/visibility/group-graph.ts'
import type { FieldDefinitions } from '../catalogue/fields/field.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import type { RotationMember } from '../catalogue/rotations/rotation.ts'
import { peopleOfRotations } from '../catalogue/rotations/triage-owners.ts'
import type { Settings } from '../platform/config/settings.ts'
import type { LimitedDb } from '../platform/database/db.ts'
import type { Condition } from './conditions/condition.ts'
import type { SearchPlan } from './listing/search-plan.ts'
import { keptNamedIds, type NamedIds } from './named-ids.ts'
import type { Criterion } from './parsing/query.ts'
import { type KnownTexts, nothingKnown } from './text/known-texts.ts'

/** What parsers and the compiler know besides the query: the caller, the time, and the configuration. */
export interface SearchContext {
  readonly db: LimitedDb
  readonly caller: Caller
  readonly settings: Settings
  readonly groups: GroupGraph
  readonly fields: FieldDefinitions
  /** The base address of the installation, by which links to its own bugs are recognised. */
  readonly baseUrl: string
  /** In milliseconds. Relative dates start here. */
  readonly now: number
  /** How common the words and texts of the query are. */
  readonly texts: KnownTexts
  /** The query has so many terms that each is planned separately; see Dialect.plansTogether. */
  readonly isLarge?: boolean
  /** Names of the catalogue that were looked up before; see references.ts. */
  readonly namedIds?: NamedIds
  /** The names that were looked up for a criterion, where a search is compiled several times. */
  readonly references?: Map<Criterion, Promise<ReferenceCondition>>
  /** The users whose turn it is, by rotation; see searchable-fields.ts. */
  readonly rotationPeople?: ReadonlyMap<number, RotationMember>
  /** Called with each plan before it is carried out; see explain-search.ts. */
  readonly onPlan?: (plan: SearchPlan) => void
}

/** A condition on a reference to rows that were looked up by name. */
export interface ReferenceCondition {
  readonly holds: Condition
  /** An index finds the matching references. */
  readonly isIndexed: boolean
}

export type SearchRequest = Pick<
  CallContext,
  'db' | 'request' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'baseUrl'
>

export async function searchContextOf(callContext: SearchRequest): Promise<SearchContext> {
  const { request, caller, settings, groups, catalogue, baseUrl } = callContext
  const db = callContext.db.within(request.readLimits)
  const [fields, namedIds] = [await catalogue(keptFields), await catalogue(keptNamedIds)]
  const rotationPeople = await peopleOfRotations(callContext)
  const now = Date.now()
  return { db, caller, settings, groups, fields, baseUrl, now, texts: nothingKnown, namedIds, rotationPeople }
}
