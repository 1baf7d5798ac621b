/** Times are stored and returned as `YYYY-MM-DDTHH:MM:SSZ`: sortable text, in whole seconds, always UTC. */
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

/** Requests need the same few times again and again, and formatting a date costs more than a lookup. */
const known = new Map<number, string>()
const MOST_KNOWN = 100

function written(second: number) {
  if (known.size >= MOST_KNOWN) known.clear()
  const text = toTime(second * 1000)
  known.set(second, text)
  return text
}

export const LATEST_TIME = '9999-12-31T23:59:59Z'
