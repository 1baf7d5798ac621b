import { useEffect } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { STATUS_CALL } from '../../../../shared/first-calls.ts'
import { copyText } from '../../../core/clipboard.ts'
import { hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Refused, Skeleton } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { OpenRemovals } from '../removals/open-removals.tsx'
import { Backups, SlowSearches } from './operation.tsx'
import { Queues } from './queues.tsx'
import { reportOf, sizeInWords } from './state-report.ts'

type Status = Answer<'GET /admin/status'>

const REFRESH_MILLISECONDS = 20_000

/** Is everything well, and if not, where is the setting. Brought up to date by itself. */
export function State() {
  const { body, fault, reload } = useData(STATUS_CALL)
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), REFRESH_MILLISECONDS)
    return () => clearInterval(timer)
  }, [])
  if (body === undefined) return fault === undefined ? <Skeleton /> : <Refused fault={fault} retry={reload} />
  return (
    <>
      <div class="row wrap">
        <span class={fault === undefined ? 'faint grow' : 'state-late grow'} role="status">
          {fault === undefined ? 'As of ' : 'Cannot be read now. As of '}
          <Time at={body.now} isInSentence />
          {fault === undefined && ', brought up to date every 20 s'}
        </span>
        <Button icon="copy" onClick={() => void copyText(reportOf(body), 'The report is copied.')}>
          Copy as text
        </Button>
      </div>
      <div class={fault === undefined ? 'stack-large' : 'stack-large state-stale'}>
        <Facts status={body} />
        <Warnings warnings={body.warnings} />
        <OpenRemovals />
        <div class="state-columns">
          <Queues status={body} />
          <Backups backups={body.backups} />
        </div>
        <SlowSearches searches={body.slow_searches} />
      </div>
    </>
  )
}

function Facts({ status }: { status: Status }) {
  const { release, engine, started_at, counts, database_bytes, attachment_bytes, disk_free_bytes } = status
  const facts = [
    ['Release', release, ''],
    ['Engine', engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL', engine.version],
    ['Running', <Time key="since" at={started_at} />, 'the process that answers'],
    ['People', numberIn(counts.users), noteIn(counts.active_users, 'this month')],
    ['Bugs', numberIn(counts.bugs), noteIn(counts.open_bugs, 'open')],
    ['Filed this month', numberIn(counts.filed), noteIn(counts.filed_before, 'the month before')],
    ['Database', sizeInWords(database_bytes), ''],
    [
      'Attachments',
      attachment_bytes === 0 ? undefined : sizeInWords(attachment_bytes),
      disk_free_bytes === null ? '' : `${sizeInWords(disk_free_bytes)} free`,
    ],
  ] as const
  return (
    <dl class="card state-facts">
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt class="faint">{name}</dt>
          <dd>
            {value === undefined ? <span class="state-none">none</span> : <b>{value}</b>}
            <span class="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function numberIn(count: number) {
  return count === 0 ? undefined : count.toLocaleString()
}

function noteIn(count: number, words: string) {
  return count === 0 ? '' : `${count.toLocaleString()} ${words}`
}

const ICONS = { danger: 'warn', warning: 'warn', info: 'info' } as const

function Warnings({ warnings }: { warnings: Status['warnings'] }) {
  return (
    <section class="stack" aria-label="Needs attention">
      <h2>
        Needs attention <span class="count">{warnings.length}</span>
      </h2>
      {warnings.length === 0 ? (
        <p class="state-good">
          <Icon name="check" />
          Nothing needs attention
        </p>
      ) : (
        <ul class="card rows">
          {warnings.map(({ name, level, text, parameter }) => (
            <li key={name} class="state-attention">
              <span class={`state-${level}`}>
                <Icon name={ICONS[level]} />
                <span class="visually-hidden">{level}: </span>
              </span>
              <span class="grow">{text}</span>
              <WayTo warning={name} parameter={parameter} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The place where something can be done about it. */
const PLACES: Record<string, readonly [address: string, name: string]> = {
  mail_outage: ['/admin/mail', 'Mail'],
  no_mail_server: ['/admin/mail', 'Mail'],
  undelivered_mail: ['/admin/mail', 'Mail'],
  failing_webhooks: ['/admin/webhooks', 'Webhooks'],
}

function WayTo({ warning, parameter }: { warning: string; parameter: string | null }) {
  const [address, name] =
    PLACES[warning] ?? (parameter === null ? [] : [`/admin/parameters?search=${parameter}`, `Parameters: ${parameter}`])
  if (address === undefined) return null
  return (
    <a class="button" href={hrefOf(address)}>
      <Icon name="gear" />
      {name}
    </a>
  )
}
