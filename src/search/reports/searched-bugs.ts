import { dictionary } from '../../platform/text/dictionary.ts'
import { masked } from '../../platform/text/masked.ts'
import type { RequestParams } from '../../platform/wire/params.ts'
import { readSearch } from '../parsing/parse-url.ts'
import { type SearchRequest, searchContextOf } from '../search-context.ts'

/** The search among the parameters, without those that are about the report. */
export async function searchIn(request: SearchRequest & { rawParams: RequestParams }, own: readonly string[]) {
  const context = await searchContextOf(request)
  const names = Object.entries(request.rawParams).filter(([name]) => !own.includes(name))
  const { where, ignored } = await readSearch(context, dictionary(Object.fromEntries(names)))
  return { context, where, more: ignored.length > 0 ? { ignored: ignored.map(masked) } : {} }
}
