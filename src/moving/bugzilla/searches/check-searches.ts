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
import { axisNamed } from '../../../search/reports/axes.ts'
import type { SearchContext } from '../../../search/search-context.ts'
import { nothingKnown } from '../../../search/text/known-texts.ts'
import type { ImportContext } from '../import-context.ts'

const searches = statement<object>()((q) =>
  q.selectFrom('saved_searches').select(['id', 'kind', 'name', 'user_id', 'query']).orderBy('id'),
)
const series = statement<object>()((q) =>
  q.selectFrom('series').select(['id', 'creator_id as user_id', 'query']).orderBy('id'),
)
const allGroups = statement<object>()((q) => q.selectFrom('groups').select(['id', 'name', 'description']))

interface StoredSearch {
  id: number
  user_id: number | null
  query: string
}

/** Notes which searches have parameters or fields that do not exist here, so that their owners can change them. */
export async function checkSearches(context: ImportContext, tx: ConfigurationTransaction): Promise<'done'> {
  const searchContext = await contextFor(context, tx)
  const note = async (table: string, key: string | number, search: StoredSearch, isReport = false) => {
    const wrong = await faultIn(searchContext, search, isReport)
    if (wrong !== undefined) context.journal.note(table, key, `its search does not work as before: ${wrong}`)
  }
  for (const search of await tx.all(searches, {}))
    if (search.kind === 'report') await note('reports', search.name, search, true)
    else await note('namedqueries', search.id, search)
  for (const search of await tx.all(series, {})) await note('series', search.id, search)
  return 'done'
}

/** As of a user who may use every field. */
async function contextFor({ settings }: ImportContext, tx: ConfigurationTransaction): Promise<SearchContext> {
  const groups = await tx.all(allGroups, {})
  return {
    db: tx.within(backgroundLimits('import')),
    caller: {
      ...anonymous,
      groups: {
        ids: new Set(groups.map(({ id }) => id)),
        names: new Set(groups.map(({ name }) => name)),
        list: groups,
      },
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
async function faultIn(
  context: SearchContext,
  { user_id, query }: StoredSearch,
  isReport: boolean,
): Promise<string | undefined> {
  try {
    const own = { ...context, caller: { ...context.caller, id: user_id } }
    const params = parametersIn(query)
    if (isReport) requireAxes(own, params)
    const { where, ignored } = await readSearch(own, params)
    await compile(own, where)
    const missed = ignored.filter((name) => !OF_THE_FORM.test(name) && params[name] !== '')
    return missed.length === 0 ? undefined : `${missed.join(', ')} is unknown here and ignored`
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
    return fault.message
  }
}

function requireAxes({ fields }: SearchContext, params: Readonly<Record<string, unknown>>) {
  for (const axis of ['x', 'y', 'z'] as const) {
    const name = params[`${axis}_axis_field`]
    if (typeof name === 'string' && name !== '') axisNamed(fields, name, axis)
  }
}

/** Parameters that the old pages sent along, and that say nothing about which bugs are meant. */
const OF_THE_FORM =
  /^(?:(?:short_desc|longdesc|bug_file_loc|status_whiteboard|keywords|bug_id|votes|content)_type|bugidtype|email\w+\d+|chfieldto|format|action|cumulate|width|height|debug|no_redirect|newqueryname|newquery|Search|tweak|saved_report_id|list_id|regetlastlist|noop)$/
