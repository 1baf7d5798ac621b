import { anonymous } from '../../../access/caller.ts'
import { readGroupGraph } from '../../../access/visibility/group-graph.ts'
import { readFieldDefinitions } from '../../../catalogue/fields/field-store.ts'
import { parametersIn } from '../../../people/saved-searches/saved-search.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { backgroundLimits } from '../../../platform/database/slow-reads/read-limits.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { ApiError } from '../../../platform/errors.ts'
import { compile } from '../../../search/conditions/compile.ts'
import { readSearch } from '../../../search/parsing/parse-url.ts'
import type { SearchContext } from '../../../search/search-context.ts'
import { nothingKnown } from '../../../search/text/known-texts.ts'
import type { ImportContext } from '../import-context.ts'

const searches = statement<object>()((q) =>
  q.selectFrom('saved_searches').select(['id', 'user_id', 'query']).where('kind', '=', 'search').orderBy('id'),
)
const series = statement<object>()((q) =>
  q.selectFrom('series').select(['id', 'creator_id as user_id', 'query']).orderBy('id'),
)
const allGroups = statement<object>()((q) => q.selectFrom('groups').select(['id', 'name']))

interface StoredSearch {
  id: number
  user_id: number | null
  query: string
}

/** Notes which searches have parameters or fields that do not exist here, so that their owners can change them. */
export async function checkSearches(context: ImportContext, tx: ConfigurationTransaction): Promise<'done'> {
  const searchContext = await contextFor(context, tx)
  const note = async (table: string, search: StoredSearch) => {
    const wrong = await faultIn(searchContext, search)
    if (wrong !== undefined) context.journal.note(table, search.id, `its search does not work as before: ${wrong}`)
  }
  for (const search of await tx.all(searches, {})) await note('namedqueries', search)
  for (const search of await tx.all(series, {})) await note('series', search)
  return 'done'
}

/** As of a user who may use every field. */
async function contextFor({ settings }: ImportContext, tx: ConfigurationTransaction): Promise<SearchContext> {
  const groups = await tx.all(allGroups, {})
  return {
    db: tx.within(backgroundLimits('import')),
    caller: {
      ...anonymous,
      groups: { ids: new Set(groups.map(({ id }) => id)), names: new Set(groups.map(({ name }) => name)), list: [] },
    },
    settings,
    groups: await readGroupGraph(tx),
    fields: await readFieldDefinitions(tx),
    baseUrl: '',
    now: Date.now(),
    texts: nothingKnown,
  }
}

/** Why a search cannot be run, or what of it is ignored; undefined if it is understood. */
async function faultIn(context: SearchContext, { user_id, query }: StoredSearch): Promise<string | undefined> {
  try {
    const own = { ...context, caller: { ...context.caller, id: user_id } }
    const { where, ignored } = await readSearch(own, parametersIn(query))
    await compile(own, where)
    return ignored.length === 0 ? undefined : `${ignored.join(', ')} is unknown here and ignored`
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    return fault.message
  }
}
