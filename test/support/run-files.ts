import { lowerPasswordCost } from './password-cost.ts'
import { report, runFile } from './run-file.ts'

lowerPasswordCost()

let isRunning = false

/** Runs each test file that a message names, one after another, and reports the result. */
process.on('message', async (file: string) => {
  // The tests of a file have ended when the process has nothing to wait for but the next message.
  process.channel?.unref()
  isRunning = true
  const result = await runFile(file)
  isRunning = false
  process.channel?.ref()
  report({ type: 'done', result })
})

// The runner was killed: nothing waits for the results.
process.on('disconnect', () => {
  if (isRunning) process.exit(1)
})
