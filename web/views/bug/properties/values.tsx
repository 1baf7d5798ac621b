// A value of a field, to be read.
import type { ComponentChildren } from 'preact'
import { me } from '../../../core/account/session.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { hrefOf } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { exactTime, shortDate } from '../../../core/times.ts'
import { Status } from '../../../parts/glyphs.tsx'
import { Avatar, nameOf, Person } from '../../../parts/person.tsx'
import { BugLink } from '../../../parts/text/text-with-links.tsx'
import { useBugStore } from '../use-bug.ts'
import { valueIn } from './field-names.ts'
import type { Property } from './properties.ts'

const MOST_AVATARS = 6

export function PropertyValue({ bug, property }: { bug: Bug; property: Property }): ComponentChildren {
  const value = valueIn(bug, property.name)
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span class="no-value">none</span>
  switch (property.kind) {
    case 'person':
      return <Person person={personBy(String(value))} />
    case 'people':
      return <People logins={value as string[]} />
    case 'keywords':
      return <Words values={value as string[]} kind="keyword" />
    case 'names':
      return <Words values={value as string[]} kind={property.name === 'tags' ? 'badge' : 'monospace'} />
    case 'choices':
      return (value as string[]).join(', ')
    case 'bugs':
    case 'bug':
      return <BugLinks ids={[value].flat() as number[]} />
    case 'addresses':
      return <Addresses values={value as string[]} />
    case 'date':
      return property.name === 'deadline' ? (
        <Deadline date={String(value)} isOpen={bug.is_open} />
      ) : (
        shortDate(String(value))
      )
    case 'time':
      return (
        <time title={exactTime(String(value))}>{new Date(String(value)).toLocaleString('en-GB', DATE_AND_TIME)}</time>
      )
    case 'hours':
      return `${value} h`
    case 'product':
      return (
        <>
          <bdi>{bug.product}</bdi>
          {bug.classification !== undefined && bug.classification !== 'Unclassified' && (
            <span class="faint"> · {bug.classification}</span>
          )}
        </>
      )
    case 'long':
      return <span class="typed-text">{String(value)}</span>
    case 'fixed':
      return <Fixed bug={bug} name={property.name} value={value} />
    default:
      return property.name === 'url' ? <Url address={String(value)} /> : <span dir="auto">{String(value)}</span>
  }
}

const DATE_AND_TIME = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const

function Fixed({ bug, name, value }: { bug: Bug; name: string; value: unknown }) {
  if (name !== 'creator') return <BugLinks ids={[value].flat() as number[]} />
  return (
    <>
      <Person person={bug.creator_detail} link /> <span class="faint small">{shortDate(bug.creation_time)}</span>
    </>
  )
}

function Words({ values, kind }: { values: readonly string[]; kind: 'keyword' | 'badge' | 'monospace' }) {
  return (
    <span class="row wrap">
      {values.map((value) => (
        <span key={value} class={kind} dir="auto">
          {value}
        </span>
      ))}
    </span>
  )
}

function People({ logins }: { logins: readonly string[] }) {
  const isMe = me.value !== undefined && logins.includes(me.value.name)
  const names = logins.map((login) => nameOf(personBy(login)))
  if (logins.length <= 2)
    return (
      <span class="row wrap">
        {logins.map((login) => (
          <Person key={login} person={personBy(login)} />
        ))}
      </span>
    )
  return (
    <span class="row wrap cc" title={names.join(', ')}>
      <span class="avatar-stack">
        {logins.slice(0, MOST_AVATARS).map((login) => (
          <Avatar key={login} id={personBy(login).id} name={nameOf(personBy(login))} />
        ))}
      </span>
      <span class="faint">
        {logins.length}
        {isMe && ', and you'}
      </span>
    </span>
  )
}

/** Other bugs, each with its status and summary. */
export function BugLinks({ ids }: { ids: readonly number[] }) {
  const { linked } = useBugStore()
  return (
    <ul class="dependencies">
      {ids.map((id) => {
        const known = linked.value.get(id)
        return (
          <li key={id}>
            {known === undefined ? <span class="icon" /> : <Status value={known.status} isOpen={known.is_open} short />}
            <BugLink id={id} />
            <span class={known?.is_open === false ? 'truncated faint' : 'truncated'} dir="auto" title={known?.summary}>
              {known?.summary}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Addresses({ values }: { values: readonly string[] }) {
  return (
    <ul>
      {values.map((value) => (
        <li key={value} class="truncated">
          <Url address={value} />
        </li>
      ))}
    </ul>
  )
}

/** Only addresses of the web are links: other schemes could run something. */
export function Url({ address }: { address: string }) {
  if (!/^(https?|ftp):\/\//i.test(address)) return <span dir="auto">{address}</span>
  const own = address.startsWith(`${location.origin}${hrefOf('/')}`)
  return (
    <a class="link" href={address} {...(!own && { rel: 'nofollow noopener noreferrer' })}>
      {address.replace(/^https?:\/\//, '')}
    </a>
  )
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const SOON_DAYS = 7

export function daysUntil(date: string) {
  const today = new Date().setHours(0, 0, 0, 0)
  return Math.round((new Date(`${date}T00:00`).getTime() - today) / DAY_MILLISECONDS)
}

/** “due in 3 days”, without the first word. */
export function untilInWords(days: number) {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days < 0) return days === -1 ? 'a day ago' : `${-days} days ago`
  return `in ${days} days`
}

function Deadline({ date, isOpen }: { date: string; isOpen: boolean }) {
  const days = daysUntil(date)
  const isSoon = isOpen && days <= SOON_DAYS
  return (
    <span class={isSoon ? 'danger' : undefined}>
      {isOpen ? `${shortDate(date)}, ${untilInWords(days)}` : shortDate(date)}
    </span>
  )
}
