import type { Answer } from '../../../../client/call-types.ts'
import { hrefOf } from '../../../core/router.ts'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { Time } from '../../../parts/time.tsx'
import { sizeInWords } from './state-report.ts'

type Status = Answer<'GET /admin/status'>

/** What somebody looks at who asks why it is slow: the searches of the last day that took long. */
export function SlowSearches({ searches }: { searches: Status['slow_searches'] }) {
  return (
    <section class="stack" aria-label="Slow searches">
      <h2>
        Slow searches <span class="faint small">last day</span>
      </h2>
      {searches.length === 0 ? (
        <p class="muted">
          No search took as long as the parameter{' '}
          <a class="link" href={hrefOf('/admin/parameters?search=slow_search_milliseconds')}>
            slow_search_milliseconds
          </a>{' '}
          says.
        </p>
      ) : (
        <ScrollRegion class="scroll-box card" label="Slow searches, as a table">
          <table class="table state-searches">
            <TableHead columns={['Search', 'By', 'Times', 'Slowest', 'Last']} />
            <tbody>
              {searches.map((it) => (
                <tr key={`${it.path} ${it.user} ${it.query}`}>
                  <th scope="row" class="state-query">
                    <SearchName {...it} />
                  </th>
                  <td dir="auto">{it.user ?? 'anonymous'}</td>
                  <td>{it.times.toLocaleString()}</td>
                  <td>{durationInWords(it.milliseconds)}</td>
                  <td>
                    <Time at={it.last_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  )
}

function durationInWords(milliseconds: number) {
  if (milliseconds < 1000) return `${milliseconds.toLocaleString()} ms`
  return `${(milliseconds / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`
}

/** A search of bugs can be opened as a list. Others have their own parameters. */
function SearchName({ path, query }: Status['slow_searches'][number]) {
  const words = [...new URLSearchParams(query)].map(([name, value]) => `${name}: ${value}`).join(', ')
  const text = words === '' ? 'every bug' : words
  return path === '/rest/bug' ? (
    <a class="link" href={hrefOf(`/bugs?${query}`)} dir="auto">
      {text}
    </a>
  ) : (
    <span dir="auto">
      {path} {text}
    </span>
  )
}

/** The last backups that the installation knows of. */
export function Backups({ backups }: { backups: Status['backups'] }) {
  return (
    <section class="stack" aria-label="Search index and backups">
      <h2>Search index and backups</h2>
      <p class="muted">
        The search index is written together with each change, so it is never behind. The command{' '}
        <code>lacewing check</code> compares it with all texts.
      </p>
      {backups.length === 0 ? (
        <p class="muted">No backup was seen.</p>
      ) : (
        <ol class="card rows" aria-label="Backups">
          {backups.map(({ at, bytes, source }, index) => (
            <li key={`${at} ${index}`} class="state-attention">
              <span class="grow">
                <Time at={at} isInSentence />
              </span>
              <span dir="auto">{source}</span>
              <span class="muted">{bytes === null ? '' : sizeInWords(bytes)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
