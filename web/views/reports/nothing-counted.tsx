import { ALL_PRODUCTS_CALL } from '../../../shared/first-calls.ts'
import { useData } from '../../core/server/use-data.ts'

/** Instead of an empty chart. A product that was renamed or deleted, or that the reader may no longer see, is named. */
export function NothingCounted({ search }: { search: URLSearchParams }) {
  const wanted = search.getAll('product')
  const { body } = useData(wanted.length === 0 ? undefined : ALL_PRODUCTS_CALL)
  const known = new Set(body?.products.map(({ name }) => name.toLowerCase()))
  const gone = body === undefined ? [] : wanted.filter((name) => !known.has(name.toLowerCase()))
  if (gone.length === 0) return <p class="muted">No bugs to count.</p>
  const names = gone.map((name) => `“${name}”`).join(', ')
  return (
    <p class="wrapped-name">
      {gone.length === 1 ? `There is no product ${names}` : `There are no products ${names}`} that you can see: it was
      renamed or deleted, or you may no longer see it.
    </p>
  )
}
