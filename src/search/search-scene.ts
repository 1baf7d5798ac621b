import type { Asked } from '../access/call.ts'
import type { Caller } from '../access/caller.ts'
import type { GroupGraph } from '../access/group-graph.ts'
import type { FieldDefinitions } from '../catalogue/fields/field.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import type { Db } from '../platform/database/db.ts'
import type { Settings } from '../platform/settings.ts'

/** Who asks and when, and what the words of a question mean at this moment: all that parsers and the compiler know besides the question. */
export interface SearchScene {
  readonly db: Db
  readonly caller: Caller
  readonly settings: Settings
  readonly groups: GroupGraph
  readonly fields: FieldDefinitions
  /** In milliseconds; what relative dates are counted from. */
  readonly now: number
}

export type Asking = Pick<Asked, 'db' | 'caller' | 'settings' | 'groups' | 'catalogue'>

export async function searchSceneOf({ db, caller, settings, groups, catalogue }: Asking): Promise<SearchScene> {
  return { db, caller, settings, groups, fields: await catalogue(keptFields), now: Date.now() }
}
