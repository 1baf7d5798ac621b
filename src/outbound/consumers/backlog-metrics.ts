import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../platform/database/db.ts'
import { type MetricFamily, type Sample, singleMetric } from '../../platform/monitoring/exposition.ts'
import { SET_ASIDE } from '../incoming/watch-maildir.ts'
import { listBacklog } from './backlog-store.ts'

/** Metrics of waiting and failed work of the whole installation: every process returns the same. */
export async function backlogMetrics(db: Db, maildir: string | undefined): Promise<MetricFamily[]> {
  const rows = await listBacklog(db)
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  const samples = (kind: string, label: string, value: (row: (typeof rows)[number]) => number): Sample[] =>
    of(kind).map((row) => ({ labels: `${label}="${row.name}"`, value: value(row) }))
  const queue = (value: (row: (typeof rows)[number]) => number) => samples('queue', 'queue', value)
  const consumer = (value: (row: (typeof rows)[number]) => number) => samples('consumer', 'consumer', value)
  const webhooks = ['active', 'failing', 'off'].map((state) => ({
    labels: `state="${state}"`,
    value: of('webhooks').find(({ name }) => name === state)?.waiting ?? 0,
  }))
  const [feed] = of('feed')
  const [outage] = of('mail outage')
  return [
    gauge(
      'lacewing_queue_waiting',
      'Jobs that wait for their first or next attempt; counted up to 10000.',
      queue(waiting),
    ),
    gauge('lacewing_queue_oldest_seconds', 'How long the oldest waiting job has waited.', queue(age)),
    gauge('lacewing_queue_failed', 'Jobs that failed for good; counted up to 10000.', queue(failed)),
    singleMetric(
      'lacewing_mail_outage_seconds',
      'gauge',
      'For how long no mail can be sent; 0 if it can.',
      outage === undefined ? 0 : Math.max(1, age(outage)),
    ),
    gauge('lacewing_webhooks', 'Webhooks by state.', webhooks),
    gauge('lacewing_consumer_lag_events', 'Events that have not been turned into jobs yet.', consumer(waiting)),
    gauge('lacewing_consumer_lag_seconds', 'The age of the oldest such event.', consumer(age)),
    {
      ...gauge(
        'lacewing_events_set_aside_total',
        'Events left out because they could not be handled.',
        consumer(failed),
      ),
      type: 'counter',
    },
    singleMetric('lacewing_feed_lag_seconds', 'gauge', 'The age of the oldest event not in the feed yet.', age(feed)),
    ...(maildir === undefined ? [] : await mailMetrics(maildir)),
  ]
}

async function mailMetrics(maildir: string): Promise<MetricFamily[]> {
  const count = (folder: string) =>
    readdir(join(maildir, folder)).then(
      (names) => names.filter((name) => !name.startsWith('.')).length,
      () => 0,
    )
  return [
    singleMetric(
      'lacewing_incoming_mail_waiting',
      'gauge',
      'Messages in the folder new of the Maildir.',
      await count('new'),
    ),
    singleMetric(
      'lacewing_incoming_mail_set_aside',
      'gauge',
      'Messages in the folder failed of the Maildir, which could not be read.',
      await count(SET_ASIDE),
    ),
  ]
}

function gauge(name: string, help: string, samples: Sample[]): MetricFamily {
  return { name, type: 'gauge', help, samples }
}

const waiting = (row: { waiting: number }) => Number(row.waiting)
const failed = (row: { failed: number }) => Number(row.failed)

function age(row: { oldest: string | null } | undefined): number {
  return row?.oldest ? Math.max(0, Math.round((Date.now() - Date.parse(row.oldest)) / 1000)) : 0
}
