import { type Caller, isIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import type { NewSeries } from './series.ts'

const LONGEST_NAME = 64
const LONGEST_QUERY = 20_000
const LEAST_DAYS = 7
const MOST_DAYS = 365

/** A new series, and the caller who creates it. */
export interface WantedSeries {
  caller: Caller
  series: NewSeries
}

const NAMES = ['category', 'subcategory', 'name'] as const
const firstEmpty = ({ series }: WantedSeries) => [...NAMES, 'query' as const].find((part) => series[part] === '')
const firstOdd = ({ series }: WantedSeries) =>
  NAMES.find((part) => series[part].length > LONGEST_NAME || /\p{Cc}/u.test(series[part]))

export const seriesAreNamedAndAsk: Rule<WantedSeries> = {
  says: 'A series has a category, a subcategory, a name, and the parameters of a search.',
  brokenBy: (wanted) => firstEmpty(wanted) !== undefined,
  error: (wanted) => errors.parameter_required({ name: firstEmpty(wanted) ?? '' }),
}

export const seriesNamesAreOneLine: Rule<WantedSeries> = {
  says: `The category, subcategory and name of a series are each one line of at most ${LONGEST_NAME} characters.`,
  brokenBy: (wanted) => firstOdd(wanted) !== undefined,
  error: (wanted) => {
    const name = firstOdd(wanted) ?? 'name'
    const right = `it must be one line of at most ${LONGEST_NAME} characters`
    return errors.bad_value({ name, value: wanted.series[name], right })
  },
}

export const seriesQueriesHaveALimit: Rule<WantedSeries> = {
  says: `The parameters of a series have at most ${LONGEST_QUERY} characters.`,
  brokenBy: ({ series }) => series.query.length > LONGEST_QUERY,
  error: ({ series }) =>
    errors.bad_value({ name: 'query', value: series.query, right: `it must have at most ${LONGEST_QUERY} characters` }),
}

export const publicSeriesAreForAdministrators: Rule<WantedSeries> = {
  says: 'Only members of admin make a series that others see.',
  brokenBy: ({ caller, series }) => series.is_public && !isIn(caller, 'admin'),
  error: () => errors.not_allowed({ need: 'a public series needs membership in admin' }),
}

export const seriesAreCountedNowAndThen: Rule<WantedSeries> = {
  says: `A series is counted every ${LEAST_DAYS} to ${MOST_DAYS} days, for members of admin also more often.`,
  brokenBy: ({ caller, series }) => series.frequency < leastFor(caller) || series.frequency > MOST_DAYS,
  error: ({ caller, series }) =>
    series.frequency > MOST_DAYS
      ? errors.number_too_large({ name: 'frequency', value: series.frequency, most: String(MOST_DAYS) })
      : errors.number_too_small({ name: 'frequency', value: series.frequency, least: String(leastFor(caller)) }),
}

function leastFor(caller: Caller) {
  return isIn(caller, 'admin') ? 1 : LEAST_DAYS
}

/** In the order they are checked: the first one broken is the error the client sees. */
export const seriesRules = [
  seriesAreNamedAndAsk,
  seriesNamesAreOneLine,
  seriesQueriesHaveALimit,
  publicSeriesAreForAdministrators,
  seriesAreCountedNowAndThen,
]
