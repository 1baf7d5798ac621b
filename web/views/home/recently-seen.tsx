import { bugAddress, hrefOf } from '../../core/router.ts'
import { Status } from '../../parts/glyphs.tsx'
import type { Visits } from './use-visits.ts'

const MOST = 6

export function RecentlySeen({ visits }: { visits: Visits }) {
  return (
    <section aria-labelledby="seen">
      <div class="section-head">
        <h2 id="seen">Recently seen</h2>
        {visits.bugs.length > MOST && (
          <span class="count">
            {MOST} of {visits.bugs.length}
          </span>
        )}
      </div>
      {visits.bugs.length === 0 ? (
        <p class="faint small">Bugs that you open are listed here.</p>
      ) : (
        <ul class="link-list">
          {visits.bugs.slice(0, MOST).map(({ id, status, is_open: isOpen, summary }) => (
            <li key={id}>
              <a href={hrefOf(bugAddress(id))}>
                <Status value={status} isOpen={isOpen} short />
                <span class="cell-id">{id}</span>
                <span class="truncated" dir="auto">
                  {summary}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
