// Reads server-sent events with fetch, because EventSource cannot send the header of our pages.

import { root } from './known-answers.ts'
import { OWN_PAGE } from './rest.ts'

interface Message {
  id: string | undefined
  data: string | undefined
}

/** The server has refused the stream, so that it is not worth trying again at once. */
export class StreamRefused extends Error {}

/** Calls `receive` for every event after this one until the stream ends. Rejects if it cannot be opened, or is lost. */
export async function readEvents(lastEventId: string, abort: AbortSignal, receive: (message: Message) => void) {
  const response = await fetch(`${root}/rest/event`, {
    headers: { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId, ...OWN_PAGE },
    credentials: 'same-origin',
    cache: 'no-store',
    signal: abort,
  })
  if (!response.ok || response.body === null) throw new StreamRefused()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    rest = parts.pop() ?? ''
    for (const part of parts) receive(messageIn(part))
  }
}

/** The server writes each event with at most one line of data; other lines are about the stream itself. */
function messageIn(part: string): Message {
  const field = (name: string) =>
    part
      .split(/\r?\n/)
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart()
  return { id: field('id'), data: field('data') }
}
