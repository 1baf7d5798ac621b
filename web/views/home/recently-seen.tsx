import { bugAddress, hrefOf } from '../../core/router.ts'
import { Status } from '../../parts/glyphs.tsx'
import type { Visits } from './use-visits.ts'

const MOST = 6

export function RecentlySeen({ visits }: { visits: Visits }) {
  return (
    <section aria-labelledby="seen">
      <div class="sec-h">
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
        <ul class="sv-l">
          {visits.bugs.slice(0, MOST).map(({ id, status, is_open: isOpen, summary }) => (
            <li key={id}>
              <a href={hrefOf(bugAddress(id))}>
                <Status value={status} isOpen={isOpen} short />
                <span class="c-id">{id}</span>
                <span class="cut" dir="auto">
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
