import { readSettings } from '../../access/installation.ts'
import { readGroupGraph } from '../../access/visibility/group-graph.ts'
import { readFieldDefinitions } from '../../catalogue/fields/field-store.ts'
import { peopleOfRotations } from '../../catalogue/rotations/triage-owners.ts'
import { doOncePerDay } from '../../platform/database/chores.ts'
import type { Db } from '../../platform/database/db.ts'
import { backgroundLimits } from '../../platform/database/slow-reads/read-limits.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import type { SearchContext } from '../search-context.ts'
import { nothingKnown } from '../text/known-texts.ts'
import { countSeries } from './count-series.ts'
import { dayOf, type Series } from './series.ts'
import { seriesReader } from './series-reader.ts'
import { findSeries, seriesDue, storeCount } from './series-view-store.ts'

export interface Collection {
  db: Db
  log: Log
  baseUrl: string
  /** In milliseconds. */
  now: number
  /** Whether the server stops, so that another server counts the remaining series. */
  isEnding: () => boolean
}

/** Counts the series that are due today, unless another server counts or has counted them. */
export function collectSeries({ db, log, baseUrl, now, isEnding }: Collection): Promise<boolean> {
  const day = dayOf(now)
  return doOncePerDay(db, 'series', day, async (goesOn) => {
    const seriesContext = {
      db,
      now,
      baseUrl,
      texts: nothingKnown,
      settings: await readSettings(db),
      groups: await readGroupGraph(db),
      fields: await readFieldDefinitions(db),
      rotationPeople: await peopleOfRotations({ db, catalogue: (part) => part.read(db) }),
    }
    for (const id of await seriesDue(db, day)) {
      if (isEnding()) throw new Error('The server ends')
      const series = await findSeries(db, id)
      const count = series && (await countOrLog(seriesContext, series, log))
      if (count !== undefined) await storeCount(db, id, day, count)
      await goesOn()
    }
  })
}

type SeriesContext = Omit<SearchContext, 'caller' | 'db'> & { db: Db }

/** A search that fails (because a field was deleted, for example) is logged, and the other series are counted. */
async function countOrLog(seriesContext: SeriesContext, series: Series, log: Log): Promise<number | undefined> {
  const reader = await seriesReader(seriesContext.db, seriesContext.settings, seriesContext.groups, series)
  if (reader === undefined) return undefined
  try {
    const db = seriesContext.db.within(backgroundLimits('series'))
    return await countSeries({ ...seriesContext, db, caller: reader }, series)
  } catch (fault) {
    log.error('series not counted', {
      series: series.id,
      why: fault instanceof Error ? fault.message : String(fault),
    })
    return undefined
  }
}
