import { Type } from '@sinclair/typebox'
import { errors } from '../../../platform/errors.ts'
import { zoneNamed } from '../../../platform/time/zone-time.ts'
import { readFlag, readInteger } from '../../../platform/wire/params.ts'
import type { MailTimes } from './send-time.ts'

/** Mail waits at most so long for its recipient to open the bug. */
const MOST_UNSEEN_MINUTES = 240

const strict = { additionalProperties: false }
const Clock = Type.Union([Type.String({ pattern: '^\\d\\d:\\d\\d$' }), Type.Null()])
const FIELDS = {
  time_zone: Type.String(),
  digest_at: Clock,
  quiet_from: Clock,
  quiet_to: Clock,
  quiet_weekends: Type.Boolean(),
  unseen_minutes: Type.Integer({ minimum: 0, maximum: MOST_UNSEEN_MINUTES }),
}

export const MailTimesSchema = Type.Object(FIELDS, { title: 'MailTimes', ...strict })
export const MailTimesParams = Type.Partial(Type.Object(FIELDS), strict)

export function presentTimes({ zone, digestAt, quietFrom, quietTo, areWeekendsQuiet, unseenMinutes }: MailTimes) {
  return {
    time_zone: zone,
    digest_at: clock(digestAt),
    quiet_from: clock(quietFrom),
    quiet_to: clock(quietTo),
    quiet_weekends: areWeekendsQuiet,
    unseen_minutes: unseenMinutes,
  }
}

function clock(minutes: number | null) {
  if (minutes === null) return null
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** The times that a request names. */
export function timesIn(input: unknown): Partial<MailTimes> {
  if (input === undefined || input === null) return {}
  const right = `it must be an object with some of ${Object.keys(FIELDS).join(', ')}`
  if (typeof input !== 'object' || Array.isArray(input)) throw errors.bad_value({ name: 'times', value: input, right })
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(FIELDS, name))
  if (unknown !== undefined) throw errors.bad_value({ name: 'times', value: unknown, right })
  const { time_zone, digest_at, quiet_from, quiet_to, quiet_weekends, unseen_minutes } = input as Record<
    string,
    unknown
  >
  return {
    ...(time_zone !== undefined && { zone: zoneIn(time_zone) }),
    ...(digest_at !== undefined && { digestAt: minutesIn('digest_at', digest_at) }),
    ...(quiet_from !== undefined && { quietFrom: minutesIn('quiet_from', quiet_from) }),
    ...(quiet_to !== undefined && { quietTo: minutesIn('quiet_to', quiet_to) }),
    ...(quiet_weekends !== undefined && { areWeekendsQuiet: readFlag('times.quiet_weekends', quiet_weekends) }),
    ...(unseen_minutes !== undefined && { unseenMinutes: unseenIn(unseen_minutes) }),
  }
}

function zoneIn(value: unknown): string {
  const zone = typeof value === 'string' ? zoneNamed(value) : undefined
  if (zone === undefined)
    throw errors.bad_value({
      name: 'times.time_zone',
      value,
      right: 'it must be the name of a zone such as Europe/Berlin',
    })
  return zone
}

function minutesIn(name: string, value: unknown): number | null {
  if (value === null || value === '') return null
  const [, hours = '', minutes = ''] = /^(\d\d):(\d\d)$/.exec(String(value)) ?? []
  if (typeof value !== 'string' || hours === '' || Number(hours) > 23 || Number(minutes) > 59)
    throw errors.bad_value({ name: `times.${name}`, value, right: 'it must be a time such as 08:30, or null' })
  return Number(hours) * 60 + Number(minutes)
}

function unseenIn(value: unknown): number {
  const minutes = readInteger('times.unseen_minutes', value)
  if (minutes < 0 || minutes > MOST_UNSEEN_MINUTES)
    throw errors.bad_value({
      name: 'times.unseen_minutes',
      value,
      right: `it must be a number of minutes from 0 to ${MOST_UNSEEN_MINUTES}`,
    })
  return minutes
}

/** Quiet hours have both ends, which differ: otherwise no mail would ever be sent. */
export function requireQuietHoursEnd({ quietFrom, quietTo }: MailTimes) {
  if ((quietFrom === null) !== (quietTo === null) || (quietFrom !== null && quietFrom === quietTo))
    throw errors.bad_value({
      name: 'times.quiet_to',
      value: clock(quietTo),
      right: 'quiet hours need both ends, at different times',
    })
}
