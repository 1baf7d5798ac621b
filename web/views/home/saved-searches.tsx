import { countCall, SAVED_CALL } from '../../../shared/first-calls.ts'
import { isOwn, parametersOf, type SavedSearch } from '../../core/bugs/saved-searches.ts'
import { hrefOf } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { Icon } from '../../parts/icon.tsx'

/** Of how many searches the bugs are counted. */
const MOST_COUNTED = 12

/** The reader's own searches and those that are shared with them. */
export function SavedSearches() {
  const { body } = useData(SAVED_CALL)
  const searches = body?.saved_searches ?? []
  const counted = new Set(searches.slice(0, MOST_COUNTED))
  const rows = (some: readonly SavedSearch[]) => (
    <ul class="link-list">
      {some.map((search) => (
        <li key={search.id}>
          <a href={hrefOf(`/bugs?${parametersOf(search)}`)}>
            <span class="truncated" dir="auto">
              {search.name}
            </span>
            {counted.has(search) && <Count search={search} />}
          </a>
        </li>
      ))}
    </ul>
  )
  const shared = searches.filter((search) => !isOwn(search))
  return (
    <section aria-labelledby="saved">
      <div class="section-head">
        <h2 id="saved">Saved searches</h2>
        {searches.length > 0 && (
          <a
            class="icon-button icon-button-small align-end"
            href={hrefOf('/settings/searches')}
            aria-label="Change saved searches"
            title="Rename, share, mail, delete"
          >
            <Icon name="edit" />
          </a>
        )}
      </div>
      {searches.length === 0 && (
        <p class="faint small">Searches that you save on the page of a list are listed here.</p>
      )}
      {rows(searches.filter(isOwn))}
      {shared.length > 0 && <div class="menu-heading">Shared with you</div>}
      {rows(shared)}
    </section>
  )
}

function Count({ search }: { search: SavedSearch }) {
  const { body } = useData(countCall(parametersOf(search)))
  return <span class="faint small">{body?.bug_count?.toLocaleString()}</span>
}
