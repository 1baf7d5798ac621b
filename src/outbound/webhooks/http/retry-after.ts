const DAY_SECONDS = 86_400

/** Statuses with which a receiver may say when to come back. */
const MAY_ASK_TO_WAIT = [429, 503]

/** How many seconds a receiver wants to be left alone, a day at most: the header holds seconds or a date. Undefined when it says nothing. */
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

/** Such as `Sun, 15 Nov 2026 10:00:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
