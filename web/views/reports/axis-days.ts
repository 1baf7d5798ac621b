// Days along an axis in the words of the reader; tables and files have them as 2026-01-31.

/** Days of a report are those of UTC, whatever zone the reader is in. */
const FORMATS = {
  short: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  long: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
}

/** “8 Nov 2025”. A text that is no day stays as it is. */
export function dayInWords(day: string, withYear = true): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : FORMATS[withYear ? 'long' : 'short'].format(time)
}

/** At most `most` of the days, evenly spread with the first and the last; the year stands at the first and where it changes. */
export function axisDays(days: readonly string[], most: number): { at: number; text: string }[] {
  const last = days.length - 1
  const count = Math.max(1, Math.min(most, days.length))
  const places = Array.from({ length: count }, (_, place) =>
    count === 1 ? 0 : Math.round((place * last) / (count - 1)),
  )
  let year = ''
  return [...new Set(places)].map((at) => {
    const day = days[at] ?? ''
    const isOther = day.slice(0, 4) !== year
    year = day.slice(0, 4)
    return { at, text: dayInWords(day, isOther) }
  })
}
