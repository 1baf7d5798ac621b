import { join } from 'node:path'
import type { Settings } from '../../../platform/config/settings.ts'
import { Contents } from '../../../platform/contents/contents.ts'
import { postgresDialect } from '../../../platform/dialects/postgres-dialect.ts'
import { sqliteDialect } from '../../../platform/dialects/sqlite-dialect.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'
import { Staging } from '../staging/staging.ts'
import { timeZoneNamed } from '../time-zone.ts'
import type { Addresses } from './addresses.ts'
import { type BugReferences, lookupIn } from './bug-lookup.ts'
import { preparePart } from './prepare-part.ts'
import type { PreparedPart } from './prepared-part.ts'

/** What a thread needs to prepare the parts. */
export interface PartRequest {
  readonly stagingFile: string
  readonly zone: string
  readonly dataFolder: string
  readonly attachmentsFolder: string | undefined
  readonly settings: Settings
  readonly references: BugReferences
  readonly addresses: Addresses
  readonly aliases: Set<string>
  readonly engine: 'sqlite' | 'postgres'
  readonly begunAt: string
  /** The last bug that is written. */
  readonly after: number
}

/** The parts of the bugs, one after another. */
export interface PreparedParts {
  next(): Promise<PreparedPart>
  close(): Promise<void>
}

/** What the thread sends. */
export interface ThreadPart {
  readonly part?: PreparedPart
  readonly fault?: Error
}

/** Prepares the parts in this thread. */
export function partsFor(request: PartRequest): PreparedParts {
  const staging = Staging.openToRead(request.stagingFile)
  const zone = timeZoneNamed(request.zone)
  if (zone === undefined) throw new Error(`There is no time zone ${request.zone}.`)
  const { keptWords } = request.engine === 'sqlite' ? sqliteDialect : postgresDialect
  const freeCommentId =
    staging.first<{ id: number | null }>(
      `select max(comment_id) as id from longdescs where typeof(comment_id) = 'integer' and comment_id <= ${LARGEST_ID}`,
    )?.id ?? 0
  const source = {
    ...request,
    lookup: lookupIn(request.references),
    contents: new Contents(join(request.dataFolder, 'attachments')),
    freeCommentId,
    keptWords,
  }
  let after = request.after
  return {
    async next() {
      const context = { staging, zone, attachmentsFolder: request.attachmentsFolder }
      const part = await preparePart(context, source, after, request.begunAt)
      if (part.next !== 'done') after = part.next
      return part
    },
    async close() {
      staging.close()
    },
  }
}
