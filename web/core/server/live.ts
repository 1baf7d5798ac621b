// What others do, as it happens: one connection for the whole page. It is open only while the page is seen, because a browser opens few
// connections to one server; a page that is seen again goes on where it was.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { checkSession, logIns } from '../account/session.ts'
import { checkConnection } from './connection.ts'
import { getOnce, isConnected, root } from './rest.ts'
import type { Event } from './types.ts'

type Listener = (event: Event) => void

const TYPES = [
  'bug.create',
  'bug.update',
  'bug.delete',
  'comment.create',
  'attachment.create',
  'attachment.update',
] as const satisfies readonly Event['type'][]
const TRY_AGAIN_MILLISECONDS = 3000
const TRY_LATER_MILLISECONDS = 30_000

const listeners = new Set<Listener>()
let source: EventSource | undefined
let cursor: string | undefined
let isConnecting = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls the listener for every event that the reader may see, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  void connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) disconnect()
  }
}

/** Calls the latest listener for every event while the component is shown. */
export function useEvents(listener: Listener) {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => listen((event) => latest.current(event)), [])
}

function isWanted() {
  return source === undefined && !document.hidden && listeners.size > 0
}

async function connect() {
  if (!isWanted() || isConnecting) return
  clearTimeout(timer)
  isConnecting = true
  try {
    // Without a position of its own, a page that was hidden would miss what happened in the meantime.
    if (cursor === undefined) cursor = (await getOnce<{ next_cursor: string }>('/rest/event')).next_cursor
    else await checkSession()
    if (isWanted()) open(cursor)
  } catch {
    timer = setTimeout(() => void connect(), TRY_LATER_MILLISECONDS)
  } finally {
    isConnecting = false
  }
}

function open(after: string) {
  source = new EventSource(`${root}/rest/event?after=${encodeURIComponent(after)}`)
  for (const type of TYPES) source.addEventListener(type, receive)
  source.onerror = () => {
    const isRefused = source?.readyState === EventSource.CLOSED
    disconnect()
    timer = setTimeout(() => void connect(), isRefused ? TRY_LATER_MILLISECONDS : TRY_AGAIN_MILLISECONDS)
    void checkConnection()
  }
}

// The stream is opened again when the server answers again, and after a login, which changes what the reader may see.
let isFirst = true
effect(() => {
  const isReady = isConnected.value && logIns.value >= 0
  if (isReady && !isFirst) {
    disconnect()
    void connect()
  }
  isFirst = false
})

function disconnect() {
  clearTimeout(timer)
  source?.close()
  source = undefined
}

function receive({ data, lastEventId }: MessageEvent<string>) {
  if (lastEventId !== '') cursor = lastEventId
  const event = JSON.parse(data) as Event
  for (const listener of [...listeners]) listener(event)
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) disconnect()
  else void connect()
})
