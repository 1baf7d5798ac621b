import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type RequestCount = (status: number, seconds: number) => void

/** What Prometheus reads from /metrics. */
export interface Metrics {
  /** The place where one call's requests are counted; found once, so that counting costs next to nothing. */
  of(method: string, path: string): RequestCount
  text(): Promise<string>
  readonly contentType: string
}

export function startMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'lacewing_requests_total',
    help: 'Requests, by call and status.',
    labelNames: ['method', 'path', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'lacewing_request_seconds',
    help: 'Time from the request to its answer, by call.',
    labelNames: ['method', 'path'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return {
    of(method, path) {
      const time = duration.labels(method, path)
      const byStatus = new Map<number, { inc(): void }>()
      return (status, seconds) => {
        time.observe(seconds)
        const counter = byStatus.get(status) ?? requests.labels(method, path, String(status))
        byStatus.set(status, counter)
        counter.inc()
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
