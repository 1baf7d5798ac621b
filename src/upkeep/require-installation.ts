import { requireReadable } from '../moving/archive/read-installation.ts'
import { openSnapshot } from '../platform/database/open-snapshot.ts'

/** Refuses a database without a whole installation of this release, and creates nothing in its place. */
export async function requireInstallation(databaseUrl: string) {
  const snapshot = await openSnapshot(databaseUrl)
  try {
    await requireReadable(snapshot)
  } finally {
    await snapshot.close()
  }
}
