// What others do, as it happens: one connection for the whole page. It is open only while the page is seen, because a browser opens few
// connections to one server; a page that is seen again goes on where it was.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../../../shared/rest-address.ts'
import { checkSession, logIns } from '../account/session.ts'
import { checkConnection } from './connection.ts'
import { readEvents, StreamRefused } from './event-stream.ts'
import { getOnce, isConnected } from './rest.ts'
import type { Event } from './types.ts'

type Listener = (event: Event) => void

const TRY_AGAIN_MILLISECONDS = 3000
const TRY_LATER_MILLISECONDS = 30_000

const listeners = new Set<Listener>()
let stream: AbortController | undefined
let cursor: string | undefined
let isConnecting = false
let timer: ReturnType<typeof setTimeout> | undefined
/** Each failure in a row doubles the time until the next attempt. */
let failures = 0

/** Calls the listener for every event that the reader may see, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  void connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) disconnect()
  }
}

const inboxListeners = new Set<() => void>()

/** Calls the listener when something reaches the reader's inbox; a moment later it can be read. Needs a listener for events. */
export function listenToInbox(listener: () => void): () => void {
  inboxListeners.add(listener)
  return () => void inboxListeners.delete(listener)
}

/** Calls the latest listener for every event while the component is shown. */
export function useEvents(listener: Listener) {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => listen((event) => latest.current(event)), [])
}

function isWanted() {
  return stream === undefined && !document.hidden && listeners.size > 0
}

async function connect() {
  if (!isWanted() || isConnecting) return
  clearTimeout(timer)
  isConnecting = true
  try {
    // Without a position of its own, a page that was hidden would miss what happened in the meantime.
    if (cursor === undefined) cursor = (await getOnce(addressOf('/event'))).next_cursor
    else await checkSession()
    if (isWanted()) void open(cursor)
  } catch {
    timer = setTimeout(() => void connect(), TRY_LATER_MILLISECONDS)
  } finally {
    isConnecting = false
  }
}

async function open(after: string) {
  const own = new AbortController()
  stream = own
  let isRefused = false
  try {
    await readEvents(after, own.signal, receive)
  } catch (fault) {
    isRefused = fault instanceof StreamRefused
  }
  // The page does not want this stream any more.
  if (stream !== own) return
  disconnect()
  const wait = isRefused ? TRY_LATER_MILLISECONDS : TRY_AGAIN_MILLISECONDS * 2 ** failures++
  timer = setTimeout(() => void connect(), Math.min(wait, TRY_LATER_MILLISECONDS))
  void checkConnection()
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
  stream?.abort()
  stream = undefined
}

function receive({ id, data }: { id: string | undefined; data: string | undefined }) {
  failures = 0
  if (id) cursor = id
  if (data === undefined) return
  const event = JSON.parse(data) as Event | { type: 'inbox.update' }
  if (event.type === 'inbox.update') {
    for (const listener of [...inboxListeners]) listener()
    return
  }
  for (const listener of [...listeners]) {
    try {
      listener(event)
    } catch (fault) {
      reportError(fault)
    }
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) disconnect()
  else void connect()
})
