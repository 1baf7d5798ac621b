import { ADMIN, memoryOf, type Server } from '../bench/processes.ts'

export interface Megabytes {
  first: number
  highest: number
  last: number
  /** Of the JavaScript heap of the main thread, at the end. */
  heap: number
}

/** Looks at the memory of a server ten times a second. */
export function watchMemory({ pid, port }: Server) {
  const now = () => Math.round(memoryOf(pid))
  const first = now()
  let highest = first
  const timer = setInterval(() => {
    highest = Math.max(highest, now())
  }, 100)
  return {
    async stop(): Promise<Megabytes> {
      clearInterval(timer)
      return { first, highest, last: now(), heap: await heapOf(port) }
    },
  }
}

async function heapOf(port: number): Promise<number> {
  const headers = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  const bytes = /^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(text)?.[1]
  return Math.round(Number(bytes ?? 0) / 1024 / 1024)
}
