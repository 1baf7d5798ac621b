import { isMainThread } from 'node:worker_threads'
import { processorMilliseconds } from './processor-time.ts'

/** Requests to the monitor: the longest turn since the last request, or the current time of the reference work. */
export type Question = 'longest' | 'reference'

/**
 * Loaded into a server before it starts (`node --import`): measures the longest turn of its event loop, which is how long every other
 * request waits. Processor time is measured and not the clock, so that other programs on the machine do not count.
 */
if (isMainThread && process.send !== undefined) {
  let last = processorMilliseconds()
  let longest = 0
  const endTurn = () => {
    const now = processorMilliseconds()
    longest = Math.max(longest, now - last)
    last = now
  }
  setInterval(endTurn, 1).unref()
  process.on('message', (question: Question) => {
    // A question is read before timers run, and so is the end of a long turn.
    endTurn()
    process.send?.({ milliseconds: question === 'longest' ? longest : referenceMilliseconds() })
    last = processorMilliseconds()
    longest = 0
  })
  process.channel?.unref()
}

/**
 * The time of reference work, which takes 100 ms on a usual machine. A slow or busy machine slows down the server and this work alike,
 * so a turn is compared with it and not with a number of milliseconds.
 */
function referenceMilliseconds(): number {
  const bug = {
    id: 1,
    summary: 'Something is wrong',
    cc: ['a@example.org', 'b@example.org'],
    is_open: true,
    votes: 1.5,
  }
  const text = JSON.stringify(Array.from({ length: 1000 }, () => bug))
  const start = processorMilliseconds()
  for (let count = 0; count < 140; count++) JSON.parse(text)
  return processorMilliseconds() - start
}
