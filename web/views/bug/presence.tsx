import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Answer } from '../../../client/call-types.ts'
import { put, RestError, remove } from '../../core/server/rest.ts'
import { Avatar, nameOf } from '../../parts/person.tsx'
import { useBugStore } from './use-bug.ts'

type PresentUser = Answer<'PUT /bug/:ref/presence'>['users'][number]

/** After this time without a key or a move of the pointer, the reader is not said to be here. */
const IDLE_MILLISECONDS = 5 * 60_000
/** So long after the last key in the composer, the reader is said to write. */
const WRITING_MILLISECONDS = 30_000
/** The server takes no more than one change in two seconds. */
const LEAST_MILLISECONDS = 2100
const RETRY_MILLISECONDS = 60_000

const others = signal<readonly PresentUser[]>([])

/** Who else has the bug open. It is not said of the bug as it was, because nobody else is there. */
export function Presence() {
  const store = useBugStore()
  const isNow = store.asOf.value === undefined
  useEffect(() => (isNow ? stayAt(store.id, (fault) => store.noteRefusal(fault)) : undefined), [store.id, isNow])
  if (others.value.length === 0) return null
  const words = `Also here: ${others.value.map(inWords).join(', ')}`
  return (
    <span class="presence" title={words}>
      <span class="avatar-stack">
        {others.value.map((user) => (
          <Avatar key={user.id} id={user.id} name={nameOf(user)} />
        ))}
      </span>
      <span class="visually-hidden">{words}</span>
    </span>
  )
}

/** Who writes a comment now. */
export function Writers() {
  const names = others.value.filter(({ is_writing }) => is_writing).map(nameOf)
  return (
    <p class="presence-writers faint small" role="status">
      {names.length > 0 && `${listed(names)} ${names.length === 1 ? 'is' : 'are'} writing a comment.`}
    </p>
  )
}

function inWords(user: PresentUser) {
  return user.is_writing ? `${nameOf(user)} (writing)` : nameOf(user)
}

function listed(names: readonly string[]) {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Tells the server that the reader is at the bug, again and again while the page is seen and used. Returns a function that ends it. */
function stayAt(ref: number, onRefused: (fault: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [lastUse, lastKey, lastCall] = [Date.now(), 0, 0]
  let [isWriting, isShown, isAsleep, isEnded] = [false, false, false, false]
  /** Without an answer, or where nobody is shown, nothing is listened to any more. */
  const end = new AbortController()
  const callIn = (milliseconds: number) => {
    clearTimeout(timer)
    timer = isEnded ? undefined : setTimeout(() => void call(), milliseconds)
  }
  const call = async () => {
    timer = undefined
    isAsleep = document.hidden || Date.now() - lastUse > IDLE_MILLISECONDS
    if (isAsleep) return
    lastCall = Date.now()
    isWriting = lastCall - lastKey < WRITING_MILLISECONDS && isTextWritten()
    try {
      const { users, is_shown, call_again_in: seconds } = await put('/bug/:ref/presence', { ref, writing: isWriting })
      isShown = is_shown
      if (isEnded) return leave()
      others.value = users
      if (seconds === null) end.abort()
      else if (timer === undefined) callIn(seconds * 1000)
    } catch (fault) {
      others.value = []
      // What was refused once is refused again.
      if (fault instanceof RestError) {
        end.abort()
        onRefused(fault)
      } else callIn(RETRY_MILLISECONDS)
    }
  }
  const soon = () => callIn(Math.max(0, lastCall + LEAST_MILLISECONDS - Date.now()))
  const use = () => {
    lastUse = Date.now()
    if (isAsleep && !document.hidden) soon()
  }
  const type = ({ target }: globalThis.Event) => {
    if (!(target instanceof Element) || !target.matches(COMPOSER)) return
    lastKey = Date.now()
    if (!isWriting) soon()
  }
  const leave = () => {
    if (isShown) void remove('/bug/:ref/presence', { ref }).catch(() => undefined)
    isShown = false
  }
  const on = (name: string, act: (event: globalThis.Event) => void) =>
    document.addEventListener(name, act, { signal: end.signal, passive: true })
  for (const name of ['pointermove', 'keydown', 'scroll']) on(name, use)
  on('input', type)
  on('visibilitychange', use)
  addEventListener('pagehide', leave, { signal: end.signal })
  soon()
  return () => {
    isEnded = true
    clearTimeout(timer)
    end.abort()
    others.value = []
    leave()
  }
}

const COMPOSER = '.composer textarea'

function isTextWritten() {
  return [...document.querySelectorAll<HTMLTextAreaElement>(COMPOSER)].some(({ value }) => value.trim() !== '')
}
