import { type OpenLoad, openLoad } from './open-load.ts'

/** The process that sends a mixed load: takes one order at a time, and returns the figures with its own processor time. */
process.on('message', async (load: OpenLoad) => {
  const before = process.cpuUsage()
  const figures = await openLoad(load)
  const { user, system } = process.cpuUsage(before)
  process.send?.({ ...figures, processorSeconds: (user + system) / 1e6 })
})
