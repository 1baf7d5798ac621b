import { type Effort, load, quantile, type Target } from './load.ts'

/** The load process: takes one order at a time, loads the target, and returns the figures. */
process.on('message', async ({ target, effort }: { target: Target; effort: Effort }) => {
  try {
    const done = await load(target, effort)
    process.send?.({
      requests: done.requests,
      seconds: done.seconds,
      p50: quantile(done, 0.5),
      p99: quantile(done, 0.99),
    })
  } catch (fault) {
    process.send?.({ fault: (fault as Error).message })
  }
})
