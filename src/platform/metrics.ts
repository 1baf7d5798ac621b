import type { SlowReadCounts } from './database/slow-read.ts'

export type RequestCount = (status: number, seconds: number) => void

/**
 * What Prometheus reads from /metrics. Written by hand: counting must cost next to nothing beside a request that takes a few
 * microseconds, and the libraries look up their labels every time.
 */
export interface Metrics {
  /** The place where one call's requests are counted; found once. */
  of(method: string, path: string): RequestCount
  text(): string
  readonly contentType: string
}

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

interface Counted {
  labels: string
  byStatus: Map<number, number>
  /** How many took at most as long as each bucket says. */
  buckets: number[]
  count: number
  seconds: number
}

export function startMetrics(slowReads: () => SlowReadCounts): Metrics {
  const calls: Counted[] = []
  return {
    of(method, path) {
      const it: Counted = {
        labels: `method="${method}",path="${path}"`,
        byStatus: new Map(),
        buckets: BUCKETS.map(() => 0),
        count: 0,
        seconds: 0,
      }
      calls.push(it)
      return (status, seconds) => count(it, status, seconds)
    },
    text: () =>
      [...requestLines(calls), ...durationLines(calls), ...slowReadLines(slowReads()), ...processLines(), ''].join(
        '\n',
      ),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }
}

function count(it: Counted, status: number, seconds: number) {
  it.byStatus.set(status, (it.byStatus.get(status) ?? 0) + 1)
  it.count++
  it.seconds += seconds
  for (let at = BUCKETS.length - 1; at >= 0 && seconds <= (BUCKETS[at] as number); at--) (it.buckets[at] as number)++
}

function requestLines(calls: readonly Counted[]) {
  const lines = calls.flatMap(({ labels, byStatus }) =>
    [...byStatus].map(([status, times]) => `lacewing_requests_total{${labels},status="${status}"} ${times}`),
  )
  return [...heading('lacewing_requests_total', 'counter', 'Requests, by call and status.'), ...lines]
}

function durationLines(calls: readonly Counted[]) {
  const name = 'lacewing_request_seconds'
  const lines = calls
    .filter((it) => it.count > 0)
    .flatMap(({ labels, buckets, count, seconds }) => [
      ...BUCKETS.map((bucket, at) => `${name}_bucket{${labels},le="${bucket}"} ${buckets[at]}`),
      `${name}_bucket{${labels},le="+Inf"} ${count}`,
      `${name}_sum{${labels}} ${seconds}`,
      `${name}_count{${labels}} ${count}`,
    ])
  return [...heading(name, 'histogram', 'Time from the request to its answer, by call.'), ...lines]
}

/** Searches and other reads that may take long, which wait for a thread or a connection of their own. */
function slowReadLines({ waiting, running, workers, refused, late, abandoned }: SlowReadCounts) {
  const name = 'lacewing_slow_reads'
  return [
    ...measured(`${name}_waiting`, 'gauge', 'Slow reads that wait for their turn.', waiting),
    ...measured(`${name}_running`, 'gauge', 'Slow reads that run.', running),
    ...measured(`${name}_workers`, 'gauge', 'Threads or connections for slow reads.', workers),
    ...measured(`${name}_refused_total`, 'counter', 'Requests refused with 503, because too many waited.', refused),
    ...measured(`${name}_late_total`, 'counter', 'Slow reads that were ended because their time was over.', late),
    ...measured(`${name}_abandoned_total`, 'counter', 'Slow reads that were ended because the client left.', abandoned),
  ]
}

/** Under the names that Prometheus' own libraries use, so that existing dashboards show them. */
function processLines() {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const started = Math.round(Date.now() / 1000 - process.uptime())
  return [
    ...measured('process_resident_memory_bytes', 'gauge', 'Memory in use.', rss),
    ...measured('nodejs_heap_size_used_bytes', 'gauge', 'Memory in use by JavaScript.', heapUsed),
    ...measured('process_cpu_seconds_total', 'counter', 'Time spent by all threads.', (user + system) / 1e6),
    ...measured('process_start_time_seconds', 'gauge', 'When the process started.', started),
  ]
}

function measured(name: string, type: string, help: string, value: number) {
  return [...heading(name, type, help), `${name} ${value}`]
}

function heading(name: string, type: string, help: string) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
