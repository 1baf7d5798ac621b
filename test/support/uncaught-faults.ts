import { isMainThread, workerData } from 'node:worker_threads'

/** Loaded into a server before it starts (`node --import`): throws uncaught errors on request, in the server or in the delivery thread. */
if (isMainThread)
  process.on('message', (what) => {
    if (what === 'reject') void Promise.reject(new Error('a promise that nobody waits for'))
    if (what === 'throw')
      setImmediate(() => {
        throw new Error('an exception that nobody catches')
      })
  })
// Only the delivery thread gets the configuration.
else if (process.env.DELIVERY === 'fails' && workerData?.config !== undefined) {
  setTimeout(() => void Promise.reject(new Error('a promise in a thread')), 50)
  setTimeout(() => {
    throw new Error('an exception in a thread')
  }, 200)
}
if (isMainThread) process.channel?.unref()
