import type { ConnectionCounts } from '../database/postgres/connection-counts.ts'
import type { ReplicaCounts } from '../database/replicas/replica.ts'
import type { SlowReadCounts } from '../database/slow-reads/slow-read.ts'
import { type MetricFamily, type Sample, singleMetric } from './exposition.ts'

export type RequestCount = (status: number, seconds: number) => void

/**
 * The counters of this process, for Prometheus. Hand-written: counting must cost next to nothing compared with a
 * request of a few microseconds, and libraries look up their labels every time.
 */
export interface Metrics {
  /** The counter of one call's requests; to be looked up once. */
  of(method: string, path: string): RequestCount
  families(): MetricFamily[]
}

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

interface Counted {
  labels: string
  byStatus: Map<number, number>
  /** How many requests took at most as long as each bucket's limit. */
  buckets: number[]
  count: number
  seconds: number
}

/** The responses that clients have not read yet. */
interface UnreadCounts {
  responses: number
  bytes: number
  cut: number
}

/** What the database reports about its load. */
interface Measured {
  slowReads(): SlowReadCounts
  connections(): ConnectionCounts | undefined
}

/** What an overloaded process refuses. */
interface AdmissionCounts {
  level: number
  delaySeconds: number
  refused: readonly { kind: string; count: number }[]
}

/** The parts of the server that count for themselves. */
interface Counting {
  unread: { counts(): UnreadCounts }
  admission: { counts(): AdmissionCounts }
  /** The standbys that requests read from. */
  replicas?: { counts(): ReplicaCounts[] } | undefined
}

export function startMetrics(db: Measured, { unread, admission, replicas }: Counting): Metrics {
  const calls: Counted[] = []
  /** Calls that are made within the server count with those from outside. */
  const byLabels = new Map<string, RequestCount>()
  return {
    of(method, path) {
      const labels = `method="${method}",path="${path}"`
      const known = byLabels.get(labels)
      if (known !== undefined) return known
      const it: Counted = {
        labels,
        byStatus: new Map(),
        buckets: BUCKETS.map(() => 0),
        count: 0,
        seconds: 0,
      }
      calls.push(it)
      const counter: RequestCount = (status, seconds) => count(it, status, seconds)
      byLabels.set(labels, counter)
      return counter
    },
    families: () => [
      requests(calls),
      durations(calls),
      ...slowReads(db.slowReads()),
      ...connections(db.connections()),
      ...(replicas === undefined ? [] : standbys(replicas.counts())),
      ...unreadResponses(unread.counts()),
      ...overload(admission.counts()),
      ...ofProcess(),
    ],
  }
}

function count(it: Counted, status: number, seconds: number) {
  it.byStatus.set(status, (it.byStatus.get(status) ?? 0) + 1)
  it.count++
  it.seconds += seconds
  for (let at = BUCKETS.length - 1; at >= 0 && seconds <= (BUCKETS[at] as number); at--) (it.buckets[at] as number)++
}

function requests(calls: readonly Counted[]): MetricFamily {
  const samples = calls.flatMap(({ labels, byStatus }) =>
    [...byStatus].map(([status, value]) => ({ labels: `${labels},status="${status}"`, value })),
  )
  return { name: 'lacewing_requests_total', type: 'counter', help: 'Requests, by call and status.', samples }
}

function durations(calls: readonly Counted[]): MetricFamily {
  const samples = calls
    .filter((it) => it.count > 0)
    .flatMap(({ labels, buckets, count, seconds }): Sample[] => [
      ...BUCKETS.map((bucket, at) => ({
        suffix: '_bucket',
        labels: `${labels},le="${bucket}"`,
        value: buckets[at] as number,
      })),
      { suffix: '_bucket', labels: `${labels},le="+Inf"`, value: count },
      { suffix: '_sum', labels, value: seconds },
      { suffix: '_count', labels, value: count },
    ])
  const help = 'Time from the request to its response, by call.'
  return { name: 'lacewing_request_seconds', type: 'histogram', help, samples }
}

/** Searches and other slow reads, which wait for a thread or a separate connection. */
function slowReads({ waiting, running, workers, refused, late, abandoned }: SlowReadCounts): MetricFamily[] {
  const name = 'lacewing_slow_reads'
  return [
    singleMetric(`${name}_waiting`, 'gauge', 'Slow reads that wait for their turn.', waiting),
    singleMetric(`${name}_running`, 'gauge', 'Slow reads that run.', running),
    singleMetric(`${name}_workers`, 'gauge', 'Threads or connections for slow reads.', workers),
    singleMetric(`${name}_refused_total`, 'counter', 'Requests refused with 503, because too many waited.', refused),
    singleMetric(`${name}_late_total`, 'counter', 'Slow reads that were ended because of their time limit.', late),
    singleMetric(
      `${name}_abandoned_total`,
      'counter',
      'Slow reads that were ended because the client disconnected.',
      abandoned,
    ),
  ]
}

function unreadResponses({ responses, bytes, cut }: UnreadCounts): MetricFamily[] {
  const name = 'lacewing_unread_responses'
  return [
    singleMetric(name, 'gauge', 'Responses that are being sent, and that the client has not read yet.', responses),
    singleMetric('lacewing_unread_bytes', 'gauge', 'Memory for these responses.', bytes),
    singleMetric(`${name}_cut_total`, 'counter', 'Connections that were closed because the client read nothing.', cut),
  ]
}

function overload({ level, delaySeconds, refused }: AdmissionCounts): MetricFamily[] {
  const samples = refused.map(({ kind, count }) => ({ labels: `class="${kind}"`, value: count }))
  return [
    singleMetric(
      'lacewing_delay_seconds',
      'gauge',
      'How long requests waited when this was last measured.',
      delaySeconds,
    ),
    singleMetric('lacewing_overload_level', 'gauge', 'How many classes of requests are refused; 0 for none.', level),
    {
      name: 'lacewing_overload_refused_total',
      type: 'counter',
      help: 'Requests refused with 503 because of too much load, by class.',
      samples,
    },
  ]
}

function connections(counts: ConnectionCounts | undefined): MetricFamily[] {
  if (counts === undefined) return []
  const name = 'lacewing_connections'
  return [
    singleMetric(`${name}_in_use`, 'gauge', 'Connections to PostgreSQL in use.', counts.inUse),
    singleMetric(`${name}_idle`, 'gauge', 'Idle connections to PostgreSQL.', counts.idle),
    singleMetric(`${name}_waiting`, 'gauge', 'Reads and transactions that wait for a connection.', counts.waiting),
    singleMetric(`${name}_limit`, 'gauge', 'Maximum number of connections.', counts.limit),
  ]
}

function standbys(counts: readonly ReplicaCounts[]): MetricFamily[] {
  const samples = (value: (count: ReplicaCounts) => number) =>
    counts.map((count) => ({ labels: `standby="${count.name}"`, value: value(count) }))
  const [used, reads] = ['lacewing_standby_used', 'lacewing_standby_reads_total']
  return [
    {
      name: used,
      type: 'gauge',
      help: 'Whether requests read from this standby.',
      samples: samples((it) => Number(it.isUsed)),
    },
    { name: reads, type: 'counter', help: 'Statements that ran on this standby.', samples: samples((it) => it.reads) },
  ]
}

/** Under the names of Prometheus' client libraries, so that existing dashboards show them. */
function ofProcess(): MetricFamily[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const started = Math.round(Date.now() / 1000 - process.uptime())
  return [
    singleMetric('process_resident_memory_bytes', 'gauge', 'Memory in use.', rss),
    singleMetric('nodejs_heap_size_used_bytes', 'gauge', 'Memory in use by JavaScript.', heapUsed),
    singleMetric('process_cpu_seconds_total', 'counter', 'Time spent by all threads.', (user + system) / 1e6),
    singleMetric('process_start_time_seconds', 'gauge', 'When the process started.', started),
  ]
}
