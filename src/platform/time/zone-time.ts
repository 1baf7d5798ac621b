/** Times of day in a time zone, with its changes between summer and winter. */
export interface ZonedDay {
  /** Days since 1 January 1970, by the calendar of the zone. */
  day: number
  /** 0 is Sunday. */
  weekday: number
  minutes: number
}

const MOST_KNOWN = 500
const DAY = 86_400_000
const MINUTE = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** The name of a zone as the browser and Node write it; undefined if there is no such zone. Only names with a place, and UTC. */
export function zoneNamed(name: string): string | undefined {
  if (name === 'UTC') return name
  if (name.length > LONGEST_NAME || !/^[A-Za-z_+-]+(\/[A-Za-z0-9_+-]+){1,2}$/.test(name)) return undefined
  try {
    return formatOf(name).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const LONGEST_NAME = 64

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts })
  if (formats.size >= MOST_KNOWN) formats.clear()
  formats.set(zone, made)
  return made
}

export function zonedDay(zone: string, moment: number): ZonedDay {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const midnight = Date.UTC(part('year'), part('month') - 1, part('day'))
  return {
    day: midnight / DAY,
    weekday: new Date(midnight).getUTCDay(),
    minutes: part('hour') * 60 + part('minute'),
  }
}

/** When this minute of a day begins in the zone. One that clocks skip is the moment at which they go on; of two, the first. */
export function momentOf(zone: string, day: number, minutes: number): number {
  const asUtc = day * DAY + minutes * MINUTE
  const isBefore = (moment: number) => {
    const there = zonedDay(zone, moment)
    return there.day * DAY + there.minutes * MINUTE < asUtc
  }
  // No zone is further from UTC than fifteen hours.
  let low = asUtc - 15 * 60 * MINUTE
  let high = asUtc + 15 * 60 * MINUTE
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE
    if (isBefore(middle)) low = middle
    else high = middle
  }
  return high
}
