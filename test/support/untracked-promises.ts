import hooks from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

const { createHook } = hooks

/**
 * Loaded before the test runner, which follows every promise to learn which test an uncaught error belongs to. A server makes so many of them
 * that this took up to a seventh of the time. Without it such an error still fails its file; it only stands beside the test instead of in it, and is
 * written out here because the runner then gives no more than its message.
 */
hooks.createHook = (options) => createHook({ ...options, trackPromises: false })

function show(error: unknown) {
  console.error(error)
  process.exitCode = 1
}

// A thread that a test starts has no test runner, and ends of such an error as it does in a server.
if (isMainThread) {
  process.on('uncaughtExceptionMonitor', show)
  process.on('unhandledRejection', show)
}
