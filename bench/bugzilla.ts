import type { Target } from './load.ts'

/** A Bugzilla that has the same bugs, for comparison. */
export interface Bugzilla {
  /** Responses per second to this request. */
  rateOf(target: Target): Promise<number>
}

const CONNECTIONS = 4
const MILLISECONDS = 5000

/** From the arguments `bugzilla=http://host/rest` and `bugzilla-key=…`. */
export function bugzillaFrom(args: readonly string[]): Bugzilla | undefined {
  const argument = (name: string) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)
  const address = argument('bugzilla')
  if (address === undefined) return undefined
  const key = argument('bugzilla-key')
  const headers = { Accept: 'application/json', ...(key !== undefined && { 'X-BUGZILLA-API-KEY': key }) }
  return { rateOf: (target) => rateAt(address.replace(/\/+$/, ''), target, headers) }
}

async function rateAt(address: string, { path, most = 1 }: Target, headers: Record<string, string>): Promise<number> {
  const started = performance.now()
  let answered = 0
  const askAgain = async () => {
    while (performance.now() - started < MILLISECONDS) {
      const filled = path.replaceAll('{id}', String(1 + Math.floor(Math.random() * most)))
      const response = await fetch(address + filled.slice('/rest'.length), { headers })
      const text = await response.text()
      if (!response.ok) throw new Error(`Bugzilla answered ${response.status} to ${filled}: ${text.slice(0, 500)}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, askAgain))
  return (answered * 1000) / (performance.now() - started)
}
