import { setTimeout as wait } from 'node:timers/promises'

/** Waits until something is found (anything but false, undefined and an empty list) and answers it. The limit suits a busy machine. */
export async function until<Found>(
  find: () => Found | false | undefined | Promise<Found | false | undefined>,
  milliseconds = 90_000,
): Promise<Found> {
  const ends = Date.now() + milliseconds
  for (;;) {
    const found = await find()
    if (found !== false && found !== undefined && !(Array.isArray(found) && found.length === 0)) return found
    if (Date.now() > ends) throw new Error(`It did not happen in ${milliseconds / 1000} s: ${find}`)
    await wait(20)
  }
}
