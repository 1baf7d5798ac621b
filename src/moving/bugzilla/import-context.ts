import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Progress } from '../../platform/progress.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'
import type { ImportJournal } from './import-journal.ts'
import type { RowTally } from './row-tally.ts'
import type { StagedValue, Staging } from './staging/staging.ts'
import type { TimeZone } from './time-zone.ts'

/** What it takes to turn rows of the dump into rows of ours. */
export interface ConversionContext {
  readonly staging: Staging
  readonly journal: RowTally
  readonly zone: TimeZone
  /** The folder data/attachments of Bugzilla. */
  readonly attachmentsFolder: string | undefined
}

/** What every step of the import needs. */
export interface ImportContext extends ConversionContext {
  readonly db: Db
  readonly journal: ImportJournal
  readonly progress: Progress
  readonly dataFolder: string
  readonly settings: Settings
  /** Bugzilla's params.json; empty if it was not given. */
  readonly params: Readonly<Record<string, string>>
}

export function stagedText(value: StagedValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string'
    ? value
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('utf8')
      : String(value)
}

/** The whole number in a column; undefined if it has none, or one that is too large for ours. */
export function numberOf(value: StagedValue | undefined): number | undefined {
  const number = positionIn(value)
  return number !== undefined && Math.abs(number) <= LARGEST_ID ? number : undefined
}

/** The same for a position in the dump, which may be of a damaged row. */
export function positionIn(value: StagedValue | undefined): number | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

export function flagOf(value: StagedValue | undefined): 0 | 1 {
  return value === null || value === undefined || value === 0 || value === '0' || value === '' ? 0 : 1
}

/** Hours such as `1.50`, in hundredths. */
export function hundredthsOf(value: StagedValue | undefined): number {
  const hundredths = Math.round(Number(value ?? 0) * 100)
  return Math.abs(hundredths) <= LARGEST_ID ? hundredths : 0
}

/** Larger ids come from damaged rows. */
export function isId(value: number | undefined): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_ID
}
