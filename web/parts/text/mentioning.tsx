// Mentions while a text is written: the people to choose from after an @, and who would not be notified.
import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { LONGEST_NICK } from '../../../shared/nicks.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { MOST_MENTIONS, mentionsIn } from '../../../shared/text/mentions.ts'
import { me, usesMarkdown } from '../../core/account/session.ts'
import type { PersonLike } from '../../core/bugs/people.ts'
import { get } from '../../core/server/rest.ts'
import { matching } from '../matching.ts'
import { Avatar, nameOf } from '../person.tsx'

type NamedPerson = PersonLike & { nick: string }

export interface Mentionable {
  /** Without it, nothing is known yet about who may read the text. */
  bugId?: number
  isPrivate?: boolean
  /** Who comes first, before anything is typed. */
  people(): readonly NamedPerson[]
}

interface Props {
  text: string
  onText(text: string): void
  box: RefObject<HTMLElement | null>
  where: Mentionable
}

const MOST_OPTIONS = 8
const WAIT_MILLISECONDS = 150
const QUIET_MILLISECONDS = 500

/** The beginning of a nick before the cursor, as shared/text/text-pieces.ts finds whole ones. */
const BEGUN = new RegExp(`(?<![\\p{L}\\p{N}_.@+/-])@([\\w.-]{0,${LONGEST_NICK}})$`, 'u')

export function Mentioning({ text, onText, box, where }: Props) {
  const id = useId()
  const begun = useBegunNick(box, text)
  const [closedAt, setClosedAt] = useState<number>()
  const { options, active, setActive } = useOptions(begun?.typed, where)
  const readers = useReaders(
    options.map(({ nick }) => nick),
    where,
    WAIT_MILLISECONDS,
  )
  const cursor = useRef<number | undefined>(undefined)
  const isOpen = begun !== undefined && begun.at !== closedAt && options.length > 0
  const take = (person: NamedPerson) => {
    const area = box.current?.querySelector('textarea')
    if (begun === undefined || area == null) return
    const end = begun.at + 1 + begun.typed.length
    const before = `${text.slice(0, begun.at)}@${person.nick} `
    onText(before + text.slice(end).replace(/^ /, ''))
    setClosedAt(begun.at)
    cursor.current = before.length
    area.focus()
  }
  // As soon as the field has the nick: what is typed next comes behind it, also where the next frame is late.
  useLayoutEffect(() => {
    const at = cursor.current
    if (at === undefined) return
    cursor.current = undefined
    box.current?.querySelector('textarea')?.setSelectionRange(at, at)
  }, [text])
  useLayoutEffect(() => {
    const area = box.current?.querySelector('textarea')
    if (area == null || !isOpen) return
    const stop = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        stop(event)
        setActive((active + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length)
      } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
        const person = options[active]
        if (person === undefined) return
        stop(event)
        take(person)
      } else if (event.key === 'Escape') {
        stop(event)
        setClosedAt(begun.at)
      }
    }
    area.addEventListener('keydown', onKeyDown, true)
    area.setAttribute('aria-autocomplete', 'list')
    area.setAttribute('aria-controls', `${id}-list`)
    area.setAttribute('aria-activedescendant', `${id}-${active}`)
    return () => {
      area.removeEventListener('keydown', onKeyDown, true)
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) area.removeAttribute(name)
    }
  }, [isOpen, options, active, text])
  return (
    <>
      {isOpen && (
        <div class="combobox">
          <div class="popup" onMouseDown={(event) => event.preventDefault()}>
            <div id={`${id}-list`} role="listbox" aria-label="People to mention">
              {options.map((person, index) => (
                <div
                  key={person.id}
                  id={`${id}-${index}`}
                  class={index === active ? 'menu-item is-active' : 'menu-item'}
                  role="option"
                  aria-selected={index === active}
                  onClick={() => take(person)}
                >
                  <Avatar id={person.id} name={nameOf(person)} size={16} />
                  <span dir="auto" class={readers.get(person.nick)?.may_read === false ? 'faint' : ''}>
                    {nameOf(person)} @{person.nick}
                  </span>
                  <span class="menu-item-end">{readers.get(person.nick)?.may_read === false && unseen(where)}</span>
                </div>
              ))}
            </div>
          </div>
        </div>
      )}
      <span class="visually-hidden" role="status">
        {isOpen ? `${options.length} people to mention. Arrow keys choose, Enter takes one.` : ''}
      </span>
      <Warnings text={text} where={where} />
    </>
  )
}

function unseen({ isPrivate }: Mentionable) {
  return isPrivate ? 'cannot see private comments' : 'cannot see this bug'
}

/** Who is mentioned and will not be notified. */
function Warnings({ text, where }: { text: string; where: Mentionable }) {
  const nicks = mentionsIn(text, usesMarkdown.value)
  const readers = useReaders(nicks, where, QUIET_MILLISECONDS)
  const unable = nicks.flatMap((nick) => {
    const reader = readers.get(nick)
    return reader?.may_read === false ? [nameOf(reader)] : []
  })
  const isFull = nicks.length === MOST_MENTIONS
  return (
    <div class="composer-links small" role="status">
      {unable.length > 0 && (
        <p>
          <bdi>{unable.join(', ')}</bdi> {unseen(where)} and will not be notified.
        </p>
      )}
      {isFull && <p>A comment mentions at most {MOST_MENTIONS} people.</p>}
    </div>
  )
}

interface BegunNick {
  at: number
  typed: string
}

function useBegunNick(box: RefObject<HTMLElement | null>, text: string): BegunNick | undefined {
  const [begun, setBegun] = useState<BegunNick>()
  useLayoutEffect(() => {
    const area = box.current?.querySelector('textarea')
    if (area == null) return
    const look = () => {
      const end = area.selectionStart
      const isCursor = end === area.selectionEnd && document.activeElement === area
      const match = isCursor ? BEGUN.exec(area.value.slice(Math.max(0, end - LONGEST_NICK - 2), end)) : null
      const typed = match?.[1]
      setBegun((last) => {
        if (typed === undefined) return undefined
        const at = end - typed.length - 1
        return last?.at === at && last.typed === typed ? last : { at, typed }
      })
    }
    look()
    const events = ['keyup', 'click', 'focus', 'blur', 'input'] as const
    for (const name of events) area.addEventListener(name, look)
    return () => {
      for (const name of events) area.removeEventListener(name, look)
    }
  }, [text])
  return begun
}

/** People of the bug whose name or nick matches, then others who are found. */
function useOptions(typed: string | undefined, where: Mentionable) {
  const [found, setFound] = useState<readonly NamedPerson[]>([])
  const [active, setActive] = useState(0)
  useEffect(() => {
    setActive(0)
    if (typed === undefined || typed.length < 2) return setFound([])
    let isDropped = false
    const timer = setTimeout(async () => {
      const match = typed.length < 3 ? `@${typed}` : typed
      const { users } = await get(addressOf('/user/suggest', { match })).catch(() => ({ users: [] }))
      if (!isDropped) setFound(users)
    }, WAIT_MILLISECONDS)
    return () => {
      isDropped = true
      clearTimeout(timer)
    }
  }, [typed])
  if (typed === undefined) return { options: [], active, setActive }
  const near = matching(where.people(), typed, (person) => [person.nick, nameOf(person), person.name])
  const all = new Map([...near, ...found].map((person) => [person.id, person]))
  if (me.value !== undefined) all.delete(me.value.id)
  return { options: [...all.values()].slice(0, MOST_OPTIONS), active, setActive }
}

interface Reader extends PersonLike {
  may_read: boolean
}

/** Whether these people may read the text; of those who are not known yet nothing. */
function useReaders(nicks: readonly string[], { bugId, isPrivate }: Mentionable, wait: number) {
  const [known, setKnown] = useState<ReadonlyMap<string, Reader>>(new Map())
  const key = (nick: string) => `${bugId} ${isPrivate} ${nick}`
  const missing = nicks.filter((nick) => !known.has(key(nick))).slice(0, MOST_MENTIONS)
  useEffect(() => {
    if (bugId === undefined || missing.length === 0) return
    const timer = setTimeout(async () => {
      const address = addressOf('/bug/:ref/readers', {
        ref: bugId,
        nicks: missing,
        ...(isPrivate && { is_private: true }),
      })
      const { users } = await get(address).catch(() => ({ users: [] }))
      const unknown = missing.map((nick) => [key(nick), NOBODY] as const)
      setKnown((last) => new Map([...last, ...unknown, ...users.map((user) => [key(user.nick), user] as const)]))
    }, wait)
    return () => clearTimeout(timer)
  }, [missing.join(' '), bugId, isPrivate])
  return new Map(
    nicks.flatMap((nick) => {
      const reader = known.get(key(nick))
      return reader === undefined || reader === NOBODY ? [] : [[nick, reader] as const]
    }),
  )
}

/** A nick that nobody has, so that it is not looked for again. */
const NOBODY: Reader = { id: 0, name: '', real_name: '', may_read: true }
