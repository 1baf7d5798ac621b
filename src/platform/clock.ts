/** Times are kept and answered as `YYYY-MM-DDTHH:MM:SSZ`: text that sorts, in whole seconds, always UTC. */
export function timeNow() {
  return secondsAgo(0)
}

export function toTime(milliseconds: number) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

export function secondsAgo(seconds: number) {
  const second = Math.floor(Date.now() / 1000) - seconds
  return known.get(second) ?? written(second)
}

/** Every request asks for the same few moments again and again, and writing out a date costs more than finding one. */
const known = new Map<number, string>()
const MOST_KNOWN = 100

function written(second: number) {
  if (known.size >= MOST_KNOWN) known.clear()
  const text = toTime(second * 1000)
  known.set(second, text)
  return text
}

const ISO_DATE = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads any ISO 8601 date or datetime; without a zone it is UTC. Undefined when it is none. */
export function readTime(text: string): string | undefined {
  const found = ISO_DATE.exec(text.trim())
  if (!found) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const date = new Date(0)
  // Date.UTC would take the years up to 99 for those of the last century.
  date.setUTCFullYear(year as number, (month as number) - 1, day)
  const isReal =
    date.getUTCMonth() === (month as number) - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 61
  const moment = date.setUTCHours(hour, minute, second) - offsetOf(found[7] ?? 'Z')
  return isReal && moment >= EARLIEST && moment <= LATEST ? toTime(moment) : undefined
}

/** What has a year of four digits, so that times sort as text. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
export const LATEST_TIME = '9999-12-31T23:59:59Z'
const LATEST = Date.parse(LATEST_TIME)

function offsetOf(zone: string) {
  if (zone.toUpperCase() === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000
}
