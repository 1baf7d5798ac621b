import { useRef } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { Icon } from '../../../parts/icon.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { Time } from '../../../parts/time.tsx'

type Status = Answer<'GET /admin/status'>

/** What waits to be done or has failed. Queues with neither are only named. */
export function Queues({ status }: { status: Status }) {
  const queues = [...status.queues, { name: 'feed', ...status.feed, failed: 0 }]
  // A row that was shown stays when its queue is empty: rows do not move under the eyes of the reader.
  const seen = useRef(new Set<string>()).current
  for (const { name, waiting, failed } of queues) if (waiting > 0 || failed > 0) seen.add(name)
  const shown = queues.filter(({ name }) => seen.has(name))
  const empty = queues.filter(({ name }) => !seen.has(name)).map(({ name }) => name)
  return (
    <section class="stack" aria-label="Queues">
      <h2>Queues</h2>
      {shown.length === 0 && (
        <p class="state-good">
          <Icon name="check" />
          Nothing waits, and nothing has failed
        </p>
      )}
      {shown.length > 0 && (
        <div class="scroll-box card">
          <table class="table">
            <TableHead columns={['Queue', 'Waiting', 'Oldest', 'Failed']} />
            <tbody>
              {shown.map(({ name, waiting, oldest, failed }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{waiting === 0 ? '–' : waiting.toLocaleString()}</td>
                  <td>{oldest === null ? '–' : <Time at={oldest} />}</td>
                  <td>
                    {failed === 0 ? '–' : <span class="badge badge-danger">{failed.toLocaleString()} failed</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {empty.length > 0 && (
        <details class="muted">
          <summary>
            {empty.length} empty {empty.length === 1 ? 'queue' : 'queues'}
          </summary>
          {empty.join(', ')}
        </details>
      )}
      <Webhooks {...status.webhooks} />
    </section>
  )
}

function Webhooks({ active, failing, off }: Status['webhooks']) {
  const counts = [
    [active, 'active'],
    [failing, 'failing'],
    [off, 'off'],
  ] as const
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString()} ${word}`)
  return words.length === 0 ? null : <p class="muted">Webhooks: {words.join(', ')}.</p>
}
