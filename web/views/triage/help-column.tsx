import { useState } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { bugAddress, hrefOf } from '../../core/router.ts'
import type { Bug } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { shortDate } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/glyphs.tsx'
import { Person } from '../../parts/person.tsx'
import { Refused } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { doneToday } from './queue-list.tsx'
import { bugCall, duplicatesCall, personName, type TriageQueue, type TriageStore } from './triage-store.ts'

interface Props {
  store: TriageStore
  queue: TriageQueue
}

export function HelpColumn({ store, queue }: Props) {
  const current = store.current.value
  return (
    <aside class="triage-help" aria-label="Help to decide">
      {current !== undefined && <Duplicates key={current} store={store} id={current} isWorker={queue.is_worker} />}
      {queue.rotation !== null && <Turns rotation={queue.rotation} />}
      <Numbers store={store} queue={queue} />
      <Report name={queue.name} />
    </aside>
  )
}

function Duplicates({ store, id, isWorker }: { store: TriageStore; id: number; isWorker: boolean }) {
  const bug = useData(bugCall(id)).body?.bugs[0]
  const { body } = useData(bug === undefined ? undefined : duplicatesCall(bug))
  const found = body?.bugs ?? []
  if (bug === undefined || found.length === 0) return null
  return (
    <section>
      <h2>Likely duplicates</h2>
      <ul class="card">
        {found.map((other) => (
          <li key={other.id} class="stack triage-duplicate">
            <span class="row">
              <Status value={other.status} isOpen={other.is_open} short />
              <span class="faint small">{other.id}</span>
            </span>
            <a href={hrefOf(bugAddress(other.id))} dir="auto">
              {other.summary}
            </a>
            <span class="hint">{shared(bug, other)}</span>
            {isWorker && (
              <div>
                <Button size="small" onClick={() => void store.decide(bug, 'duplicate', { dupe_of: other.id })}>
                  Duplicate of this
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHORTEST_WORD = 4
const MOST_WORDS = 4

/** What the two have in common, in words. */
function shared(bug: Bug, other: Pick<Bug, 'summary' | 'component' | 'resolution'>): string {
  const words = wordsIn(bug.summary).intersection(wordsIn(other.summary))
  const same = [...words].slice(0, MOST_WORDS)
  return [
    same.length > 0 && `same words “${same.join(', ')}”`,
    bug.component === other.component && 'same component',
    other.resolution !== '' && other.resolution.toLowerCase(),
  ]
    .filter(Boolean)
    .join('; ')
}

function wordsIn(summary: string): Set<string> {
  return new Set(
    summary
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter(({ length }) => length >= SHORTEST_WORD),
  )
}

type Rotation = NonNullable<TriageQueue['rotation']>

function Turns({ rotation }: { rotation: Rotation }) {
  const [now, ...next] = rotation.turns
  return (
    <section>
      <h2>On rotation now</h2>
      <div class="card stack triage-turns">
        {now?.person == null ? (
          <p>Everybody is away.</p>
        ) : (
          <div class="row">
            <Person person={now.person} link />
            <span class="badge badge-accent align-end">until {shortDate(now.until)}</span>
          </div>
        )}
        <ol class="stack">
          {next.map(({ from, person }) => (
            <li key={from} class="faint small">
              from {shortDate(from)}: <bdi>{person === null ? 'nobody' : personName(person)}</bdi>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** Who has the next turn, as a sentence. */
export function takeover({ rotation }: TriageQueue): string {
  const next = rotation?.turns[1]
  return next?.person == null ? '' : `${personName(next.person)} takes over on ${shortDate(next.from)}.`
}

function Numbers({ store, queue }: Props) {
  const done = doneToday(queue)
  const first = queue.bugs[0]
  const oldest = useData(first === undefined ? undefined : bugCall(first)).body?.bugs[0]
  const days = oldest === undefined ? 0 : (Date.now() - Date.parse(oldest.creation_time)) / 86_400_000
  const isLate = queue.aim_days !== null && days > queue.aim_days
  return (
    <section>
      <h2>This queue</h2>
      <dl class="triage-numbers">
        <dt>Triaged today</dt>
        <dd>
          {done.length}
          {done.length > 0 && `, ${done.filter(({ id }) => store.isOwn(id)).length} here by you`}
        </dd>
        {oldest !== undefined && (
          <>
            <dt>Oldest waits</dt>
            <dd class={isLate ? 'is-late' : undefined}>
              <Time at={oldest.creation_time} />
              {queue.aim_days !== null && `, aim is ${queue.aim_days} d`}
            </dd>
          </>
        )}
        <dt>Snoozed</dt>
        <dd>{queue.snoozed.length.toLocaleString()}</dd>
        {queue.query !== undefined && (
          <>
            <dt>Search</dt>
            <dd>
              <a class="link" href={hrefOf(`/bugs?${queue.query}`)}>
                As a list
              </a>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** The last 30 days, read when it is opened. */
function Report({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { body, fault, reload } = useData(
    isOpen ? addressOf('/triage/:queue/report', { queue: name, days: 30 }) : undefined,
  )
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The last 30 days</summary>
      {fault !== undefined && body === undefined && <Refused fault={fault} retry={reload} />}
      {body !== undefined && (
        <>
          <p>
            {body.came_in} came in, {body.decisions} decisions, {body.waiting} wait.{' '}
            {body.median_hours !== null && `Half waited at most ${hoursInWords(body.median_hours)}.`}
          </p>
          <ReportTable title="By whom" rows={body.users.map((it) => ({ ...it, label: personName(it) }))} />
          <ReportTable title="Decision" rows={body.kinds.map((it) => ({ ...it, label: it.kind }))} />
        </>
      )}
    </details>
  )
}

interface ReportRows {
  title: string
  rows: readonly { label: string; decisions: number; median_hours: number | null }[]
}

function ReportTable({ title, rows }: ReportRows) {
  if (rows.length === 0) return null
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Bugs</th>
          <th scope="col">Half waited at most</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, decisions, median_hours }, place) => (
          <tr key={place}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td>{decisions}</td>
            <td>{median_hours === null ? '–' : hoursInWords(median_hours)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function hoursInWords(hours: number) {
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`
}
