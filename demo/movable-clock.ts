const realNow = Date.now

/**
 * Lets this process believe that it is another time. Before it serves anybody, the demo fills its database through a server in its own process,
 * so that its bugs can have a past. Time stands still between two calls, and must not go back.
 */
export function setClock(milliseconds: number) {
  Date.now = () => milliseconds
}

export function resetClock() {
  Date.now = realNow
}
