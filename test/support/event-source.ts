import type { BodyAt } from './body-types.ts'
import type { SureList } from './sure-list.ts'
import type { Client, World } from './world.ts'

/** An event as `GET /rest/event` returns it, which the stream sends too. */
export type FeedEvent = BodyAt<'GET', '/rest/event'>['events'][number]

/** Reads the feed as a browser does. */
export class EventSource {
  readonly events: FeedEvent[] = []
  lastEventId = ''
  /** Called for each event, instead of collecting them. */
  onEvent: ((event: FeedEvent) => void) | undefined
  readonly ended: Promise<void>
  private readonly stop: AbortController
  private wake = () => {}

  private constructor(response: Response, stop: AbortController) {
    this.stop = stop
    this.ended = this.read(response).catch(() => {})
  }

  /** Resolves when the server has sent the start position. */
  static async open(world: Pick<World, 'url'>, who: Pick<Client, 'headers'>, headers: Record<string, string> = {}) {
    const stop = new AbortController()
    const response = await fetch(`${world.url}/rest/event`, {
      headers: { ...who.headers, ...headers, Accept: 'text/event-stream' },
      signal: stop.signal,
    })
    if (response.status !== 200) throw new Error(`Refused: ${response.status} ${await response.text()}`)
    const source = new EventSource(response, stop)
    while (source.lastEventId === '') await source.somethingNew()
    return source
  }

  /** Waits for the next events. */
  async take(count: number): Promise<SureList<FeedEvent>> {
    const late = Date.now() + 15_000
    while (this.events.length < count) {
      if (Date.now() > late) throw new Error(`Only ${this.events.length} of ${count} events came`)
      await this.somethingNew()
    }
    return this.events.splice(0, count) as SureList<FeedEvent>
  }

  close() {
    this.stop.abort()
  }

  private somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, 1000)
      this.wake = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  private async read(response: Response) {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) this.dispatch(frame)
      this.wake()
    }
    this.wake()
  }

  private dispatch(frame: string) {
    const data: string[] = []
    for (const line of frame.split('\n')) {
      if (line.startsWith('id: ')) this.lastEventId = line.slice(4)
      if (line.startsWith('data: ')) data.push(line.slice(6))
    }
    if (data.length === 0) return
    const event = JSON.parse(data.join('\n'))
    if (this.onEvent) this.onEvent(event)
    else this.events.push(event)
  }
}
