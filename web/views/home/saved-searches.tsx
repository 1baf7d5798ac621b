import { hrefOf } from '../../core/router.ts'
import { useData } from '../../core/use-data.ts'

interface SavedSearch {
  id: number
  name: string
  query: string
  owner_id: number
}

/** The reader's own searches and those that are shared with them. */
export function SavedSearches() {
  const { body } = useData<{ saved_searches: SavedSearch[] }>('/rest/saved_search')
  const searches = body?.saved_searches ?? []
  return (
    <section aria-labelledby="saved">
      <div class="sec-h">
        <h2 id="saved">Saved searches</h2>
      </div>
      {searches.length === 0 ? (
        <p class="faint small">Save a search on the page of a list, and it stands here.</p>
      ) : (
        <ul>
          {searches.map(({ id, name, query }) => (
            <li key={id} class="row">
              <a class="cut grow" href={hrefOf(`/bugs?${query}`)} dir="auto">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
