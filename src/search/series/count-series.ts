import { parametersIn } from '../../people/saved-searches/saved-search.ts'
import { compile } from '../conditions/compile.ts'
import { countBugs } from '../listing/bug-count-store.ts'
import { readSearch } from '../parsing/parse-url.ts'
import type { Query } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import type { Series } from './series.ts'

/** The number of bugs of the series that the caller of the context may see. */
export async function countSeries(context: SearchContext, series: Series): Promise<number> {
  const { where } = await readSearch(context, parametersIn(series.query))
  return countBugs(context, { all: [...productAndComponentOf(series), where] })
}

/** Product and component are not part of the query, so that renaming them does not change it. */
function productAndComponentOf({ product, component }: Series): Query[] {
  return [
    ...(product === null ? [] : [{ field: 'product', operator: 'equals', value: [product] } as const]),
    ...(component === null ? [] : [{ field: 'component', operator: 'equals', value: [component] } as const]),
  ]
}

/** Throws the error that the search would have. */
export async function requireCountable(context: SearchContext, query: string) {
  await compile(context, (await readSearch(context, parametersIn(query))).where)
}
