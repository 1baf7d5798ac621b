const DAY_SECONDS = 86_400

/** Statuses with which a receiver may ask us to wait. */
const MAY_ASK_TO_WAIT = [429, 503]

/**
 * How many seconds the receiver asks us to wait, at most a day. The header has seconds or a date. Undefined without a
 * valid header.
 */
export function secondsToWait(status: number, header: string | undefined, now = Date.now()): number | undefined {
  if (!MAY_ASK_TO_WAIT.includes(status) || header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : HTTP_DATE.test(text)
      ? (Date.parse(text) - now) / 1000
      : Number.NaN
  return seconds > 0 ? Math.ceil(Math.min(seconds, DAY_SECONDS)) : undefined
}

/** For example `Sun, 15 Nov 2026 10:00:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
