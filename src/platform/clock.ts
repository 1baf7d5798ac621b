/** Times are kept and answered as `YYYY-MM-DDTHH:MM:SSZ`: text that sorts, in whole seconds, always UTC. */
export function timeNow() {
  return toTime(Date.now())
}

export function toTime(milliseconds: number) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

export function secondsAgo(seconds: number) {
  return toTime(Date.now() - seconds * 1000)
}

const ISO_DATE = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads any ISO 8601 date or datetime; without a zone it is UTC. Undefined when it is none. */
export function readTime(text: string): string | undefined {
  const found = ISO_DATE.exec(text.trim())
  if (!found) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const asked = Date.UTC(year as number, (month as number) - 1, day, hour, minute, second)
  const date = new Date(asked)
  const isReal =
    date.getUTCMonth() === (month as number) - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 61
  if (!isReal || (year as number) < 1) return undefined
  return toTime(asked - offsetOf(found[7] ?? 'Z'))
}

function offsetOf(zone: string) {
  if (zone.toUpperCase() === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000
}
