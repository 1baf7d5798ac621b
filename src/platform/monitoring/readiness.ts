import type { Settings } from '../config/settings.ts'
import type { Contents } from '../contents/contents.ts'
import { writeTestRow } from '../database/chores.ts'
import type { Db } from '../database/db.ts'
import { type ApiError, errors } from '../errors.ts'
import { dictionary } from '../text/dictionary.ts'
import { timeNow } from '../time/clock.ts'

/** A recent successful write need not be repeated: load balancers ask often, and a write waits for the disk. */
const PROVEN_MILLISECONDS = 5000
const RETRY_SECONDS = 5

/** Whether requests can be served: the database responds, and both it and the file store are writable. */
export class Readiness {
  private readonly db: Db
  private readonly contents: Contents
  /** Read from the database each time. */
  private readonly settings: () => Promise<Settings>
  private provenAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, contents: Contents, settings: () => Promise<Settings>) {
    this.db = db
    this.contents = contents
    this.settings = settings
  }

  async require() {
    const settings = await this.settings().catch(notReady('the database does not respond'))
    if (performance.now() - this.provenAt < PROVEN_MILLISECONDS) return
    await writeTestRow(this.db, timeNow()).catch(notReady('the database cannot be written'))
    await this.contents.requireWritable(settings).catch(notReady('files cannot be stored'))
    this.provenAt = performance.now()
  }
}

function notReady(usual: string) {
  return (fault: unknown): never => {
    const { reason, why = usual } = fault as Partial<ApiError> & { why?: string }
    if (reason === 'overloaded') throw fault
    const code = (fault as NodeJS.ErrnoException).code ?? ''
    const error = errors.not_ready({ why: FILE_FAULTS[code] ?? why, seconds: RETRY_SECONDS })
    throw Object.assign(error, { cause: (fault as Error).cause ?? fault })
  }
}

const FILE_FAULTS: Readonly<Record<string, string>> = dictionary({
  ENOSPC: 'the disk of the data folder is full',
  EDQUOT: 'the disk of the data folder is full',
  EROFS: 'the data folder is read-only',
  EACCES: 'the data folder may not be written by this user',
  EPERM: 'the data folder may not be written by this user',
})
