import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server before it starts (`node --import`): measures the longest turn of its event loop, which is how long every other
 * request waits. Processor time is measured and not the clock, so that other programs on the machine do not count.
 */
if (isMainThread && process.send !== undefined) {
  let last = processorMilliseconds()
  let longest = 0
  setInterval(() => {
    const now = processorMilliseconds()
    longest = Math.max(longest, now - last)
    last = now
  }, 1).unref()
  process.on('message', () => {
    process.send?.({ longest })
    longest = 0
  })
  process.channel?.unref()
}

function processorMilliseconds() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
