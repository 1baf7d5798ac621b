import { buildApp } from './app.ts'
import { deliverInThread } from './outbound/delivery/deliver-in-thread.ts'
import { loadAssets } from './pages/assets.ts'
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
  const address = await app.listen({ host: config.host, port: config.port })
  // So that the first page does not have to wait. A fault is reported by the request for a page, which tries again.
  loadAssets().catch(() => {})
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
