const realNow = Date.now

/**
 * Makes this process see another time. Before it serves clients, the demo fills its database through a server in its
 * own process, so that its bugs have a past. The time stands still between two calls, and must not go back.
 */
export function setClock(milliseconds: number) {
  Date.now = () => milliseconds
}

export function resetClock() {
  Date.now = realNow
}
