import { toTime } from '../../platform/time/clock.ts'

/** People who take turns, in order. */
export interface Rotation {
  id: number
  name: string
  /** How long a turn takes. */
  period: Period
  /** When the first turn begins, or began. */
  starts_at: string
  /** The clock by which turns begin. */
  time_zone: string
  members: readonly RotationMember[]
}

export type RotationEdit = Omit<Rotation, 'id'>

export interface RotationMember {
  id: number
  login: string
  real_name: string
  /** Null stands for the neutral nick. */
  nick: string | null
}

export type Period = 'day' | 'week' | 'two weeks'

export const PERIODS: readonly Period[] = ['day', 'week', 'two weeks']

const DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, 'two weeks': 14 }
const DAY = 86_400_000

/** One turn, with the person whose turn it is; nobody if all are away. */
export interface Turn {
  from: string
  until: string
  member: RotationMember | undefined
}

/** Whether a member can take a turn at that time (in milliseconds): not disabled, and not away. */
export type IsThere = (member: RotationMember, at: number) => boolean

/** The turn at that time and those after it. A user who is not there is skipped: the next in order takes the turn. */
export function turnsFrom(rotation: Rotation, at: number, count: number, isThere: IsThere): Turn[] {
  const first = turnNumber(rotation, at)
  return Array.from({ length: count }, (_, more) => {
    const [from, until] = [beginning(rotation, first + more), beginning(rotation, first + more + 1)]
    const member = memberFor(rotation, first + more, (it) => isThere(it, Math.max(from, at)))
    return { from: toTime(from), until: toTime(until), member }
  })
}

function memberFor({ members }: Rotation, turn: number, isThere: (member: RotationMember) => boolean) {
  const start = members.length === 0 ? 0 : turn % members.length
  return [...members.slice(start), ...members.slice(0, start)].find(isThere)
}

/** Counted by the clock of the zone, so that a turn begins at the same hour in summer and in winter. Before the first one it is the first. */
function turnNumber(rotation: Rotation, at: number): number {
  const { period, time_zone, starts_at } = rotation
  const since = clockTime(at, time_zone) - clockTime(Date.parse(starts_at), time_zone)
  return Math.max(0, Math.floor(since / (DAYS[period] * DAY)))
}

function beginning({ period, time_zone, starts_at }: Rotation, turn: number): number {
  const clock = clockTime(Date.parse(starts_at), time_zone) + turn * DAYS[period] * DAY
  let at = clock
  // The second round counts where the clock changes in between.
  for (const _ of [1, 2]) at += clock - clockTime(at, time_zone)
  return at
}

/** What the clock of the zone shows, as if it were UTC. */
function clockTime(at: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** A format takes much longer to make than to use. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}

const ZONES: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])

export function isTimeZone(name: string): boolean {
  return ZONES.has(name)
}

/** A rotation with the parameter names of the REST API, as text for the audit log. */
export function writtenRotation({ name, period, starts_at, time_zone, members }: RotationEdit) {
  return { name, period, start: starts_at, time_zone, users: members.map(({ login }) => login).join(', ') }
}
