import { type Caller, isIn, requireGroup, requireLogin, type SignedIn } from '../../access/caller.ts'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { changedSearch as savedForm } from '../../people/saved-searches/saved-search.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { type SearchRequest, searchContextOf } from '../search-context.ts'
import { requireCountable } from './count-series.ts'
import type { NewSeries, Series } from './series.ts'
import { seriesReader } from './series-reader.ts'
import { seriesRules } from './series-rules.ts'
import { countSeriesOf, deleteSeries, insertSeries, isNameTaken, listSeriesFor } from './series-view-store.ts'

/** Creates a series without a product. Its search is checked first, with the rights that it will be counted with. */
export async function createSeries(callContext: SearchRequest, wanted: NewSeries): Promise<number> {
  const { db, settings, groups } = callContext
  const caller = requireChartReader(requireGroup(callContext.caller, 'editbugs'), settings)
  const series = {
    ...trimmed(wanted),
    query: savedForm({ name: '', query: '', sort_key: 0 }, { query: wanted.query }).query,
  }
  enforce(seriesRules, { caller, series })
  const context = await searchContextOf(callContext)
  const reader = await seriesReader(db, settings, groups, {
    ...OF_NO_PRODUCT,
    is_public: series.is_public ? 1 : 0,
    creator_id: caller.id,
  })
  await requireCountable({ ...context, caller: reader ?? caller }, series.query)
  return db.transaction(async (tx) => {
    if (await isNameTaken(tx, caller.id, series)) throw errors.name_taken({ what: 'series', name: series.name })
    requireOwnRoom('series', await countSeriesOf(tx, caller.id))
    return insertSeries(tx, caller.id, series)
  }, 'accounts')
}

const OF_NO_PRODUCT = { product_id: null }

function trimmed({ category, subcategory, name, ...rest }: NewSeries): NewSeries {
  return { ...rest, category: category.trim(), subcategory: subcategory.trim(), name: name.trim() }
}

/** For its creator and for administrators. */
export async function removeSeries(callContext: SearchRequest, ref: string): Promise<{ id: number; name: string }> {
  const caller = requireLogin(callContext.caller)
  return callContext.db.transaction(async (tx) => {
    const { id, name, creator_id } = await getSeries({ ...callContext, db: tx }, ref)
    if (creator_id !== caller.id && !isIn(caller, 'admin'))
      throw errors.not_allowed({ need: 'only its creator and members of admin may delete a series' })
    await deleteSeries(tx, id)
    return { id, name }
  }, 'accounts')
}

/** A series that the caller may not see is reported as missing. */
export async function getSeries({ db, caller, settings }: SearchRequest, ref: string): Promise<Series> {
  const reader = requireChartReader(caller, settings)
  const [found] = await listSeriesFor(db, reader, settings, { id: idIn(ref) ?? 0 })
  if (!found) throw errors.no_such_object({ what: 'series', ref })
  return found
}

/** Charts are for members of the group in the parameter chartgroup. While it is empty, no user may see them. */
export function requireChartReader(caller: Caller, { chartgroup }: Settings): SignedIn {
  if (chartgroup !== '') return requireGroup(caller, chartgroup)
  requireLogin(caller)
  throw errors.not_allowed({ need: 'the parameter chartgroup is empty, so that no user may see charts' })
}
