import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'

interface Instrumented {
  __stryker__?: { mutantCoverage?: { static: Record<string, number>; perTest: object } }
}

/** Loaded before a test file of the instrumented copy, also in its threads: writes the ids of the mutants whose code has run, one a line. */
const folder = process.env.LACEWING_MUTANT_COVERAGE
if (folder !== undefined) noteIn(join(folder, `${process.pid}-${threadId}.txt`))

function noteIn(file: string) {
  const instrumented = globalThis as Instrumented
  if (isMainThread) {
    process.on('exit', () => {
      const reached = Object.keys(instrumented.__stryker__?.mutantCoverage?.static ?? {})
      writeFileSync(file, reached.map((id) => `${id}\n`).join(''))
    })
    return
  }
  // A thread that is terminated has no exit, so it writes each id at once.
  const noted = new Proxy<Record<string, number>>(
    {},
    {
      set: (counts, id, count: number) => {
        if (typeof id === 'string' && !(id in counts)) appendFileSync(file, `${id}\n`)
        return Reflect.set(counts, id, count)
      },
    },
  )
  instrumented.__stryker__ = { mutantCoverage: { static: noted, perTest: {} } }
}
