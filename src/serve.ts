import { buildApp } from './app.ts'
import { deliverInThread } from './outbound/delivery/deliver-in-thread.ts'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/database/db.ts'
import { logTo } from './platform/monitoring/log.ts'
import { DailyCollection } from './search/series/daily-collection.ts'

/** When the library of passkeys is loaded, after the first requests of clients that waited for the start. */
const PASSKEY_LIBRARY_MILLISECONDS = 3000

/** Loading takes over 100 ms of processor time, and other requests would wait if the first passkey caused it. */
function loadPasskeyLibrary() {
  // A fault is reported by the request that uses a passkey, which tries again.
  import('./people/passkeys/verify-passkey.ts').catch(() => {})
}

/** Listens until the server ends; running requests are finished first. */
export async function listen(config: Config, db: Db) {
  const log = logTo()
  const app = buildApp(db, config, log, deliverInThread)
  // Before it listens, so that the first page does not have to wait. The REST API works without pages.
  await app.warmUp().catch((fault: Error) => log.error('pages cannot be served', { cause: fault.message }))
  const address = await app.listen({ host: config.host, port: config.port })
  setTimeout(loadPasskeyLibrary, PASSKEY_LIBRARY_MILLISECONDS).unref()
  const series = new DailyCollection(db, log, app.baseUrl())
  return {
    address,
    log,
    async end() {
      const late = setTimeout(() => app.server.closeAllConnections(), config.limits.drainMilliseconds)
      await app.close()
      clearTimeout(late)
      await series.end()
      await db.close()
      await log.flush()
    },
  }
}
