import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { haveAName, haveShortNames } from '../name-rules.ts'
import { isTimeZone, PERIODS, type RotationEdit } from './rotation.ts'

export const MOST_MEMBERS = 50
const MOST_YEARS = 10
const MOST_SECONDS = MOST_YEARS * 366 * 86_400

export const rotationsHaveAName: Rule<RotationEdit> = haveAName('Rotations')
export const rotationNamesAreShort: Rule<RotationEdit> = haveShortNames('Rotations')

export const rotationsHaveAPeriod: Rule<RotationEdit> = {
  says: `A turn of a rotation takes a ${PERIODS.join(', ')}.`,
  brokenBy: ({ period }) => !PERIODS.includes(period),
  error: ({ period }) =>
    errors.bad_value({ name: 'period', value: period, right: `it must be one of ${PERIODS.join(', ')}` }),
}

export const rotationsHaveATimeZone: Rule<RotationEdit> = {
  says: 'The turns of a rotation begin by the clock of a time zone.',
  brokenBy: ({ time_zone }) => !isTimeZone(time_zone),
  error: ({ time_zone }) =>
    errors.bad_value({ name: 'time_zone', value: time_zone, right: 'it must be a name such as Europe/Berlin or UTC' }),
}

export const rotationsBeginNearNow: Rule<RotationEdit> = {
  says: `The first turn of a rotation is at most ${MOST_YEARS} years away.`,
  brokenBy: ({ starts_at }) => starts_at < secondsAgo(MOST_SECONDS) || starts_at > secondsAgo(-MOST_SECONDS),
  error: ({ starts_at }) =>
    errors.bad_value({ name: 'start', value: starts_at, right: `it must be at most ${MOST_YEARS} years away` }),
}

export const rotationsHaveMembers: Rule<RotationEdit> = {
  says: 'A rotation has at least one user.',
  brokenBy: ({ members }) => members.length === 0,
  error: () => errors.parameter_required({ name: 'users' }),
}

export const rotationMembersAreDifferent: Rule<RotationEdit> = {
  says: 'A user is in a rotation once.',
  brokenBy: ({ members }) => new Set(members.map(({ id }) => id)).size < members.length,
  error: ({ members }) =>
    errors.bad_value({
      name: 'users',
      value: members.find(({ id }, at) => members.findIndex((it) => it.id === id) < at)?.login,
      right: 'each user can be in it once',
    }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const rotationRules = [
  rotationsHaveAName,
  rotationNamesAreShort,
  rotationsHaveAPeriod,
  rotationsHaveATimeZone,
  rotationsBeginNearNow,
  rotationsHaveMembers,
  rotationMembersAreDifferent,
]
