import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { flag, text } from '../../platform/wire/params.ts'
import { countAges, countTimesToClose } from './count-ages.ts'
import { countOverTime, countPartOverTime } from './count-over-time.ts'
import { INTERVALS, momentOf, readPeriod } from './report-days.ts'
import { searchIn } from './searched-bugs.ts'

const count = Type.Integer()
const date = Type.String({ description: 'Such as 2026-01-31.' })
const ignored = Type.Optional(Type.Array(Type.String()))
const anyCount = Type.Union([count, Type.Null()])

const period = {
  from: text('The first day, or a distance from now such as -12w. A year before `to` by default.'),
  to: text('The last day, or a distance from now. Today by default, and at most.'),
}

const getOverTime = call({
  method: 'GET',
  path: '/report/over_time',
  resource: 'report',
  summary: 'Count the bugs that a search finds by their status in the past.',
  about:
    'Takes all parameters of a search. Counts the bugs that match today, by the status that they had at the end of each day, week or month.',
  params: {
    ...period,
    interval: text(`How far points are apart: ${INTERVALS.join(', ')}; week by default. At most 800 points.`),
    in_parts: flag('Whether to count only a part of the bugs, and return a cursor for the next one.'),
    cursor: text('The next_cursor of the answer before, when counting in parts.'),
  },
  unknownParams: 'kept',
  answers: Type.Object(
    {
      from: date,
      to: date,
      interval: Type.String(),
      points: Type.Array(
        Type.Object(
          { date, open: count, closed: count, created: count, resolved: count, reopened: count },
          { title: 'ReportPoint', additionalProperties: false },
        ),
      ),
      bug_count: count,
      progress: Type.Optional(Type.Number()),
      next_cursor: Type.Optional(Type.String()),
      ignored,
    },
    { additionalProperties: false },
  ),
  isSearch: true,
  scope: 'read',
  async run(callContext) {
    const { from, to, interval, in_parts, cursor } = callContext.params
    const { context, where, more } = await searchIn(callContext, ['from', 'to', 'interval', 'in_parts'])
    const wanted = readPeriod({ from, to, interval }, context.now)
    const isPart = in_parts === true || cursor !== undefined
    const counted = isPart
      ? await countPartOverTime(context, where, wanted, cursor)
      : await countOverTime(context, where, wanted)
    return { ...counted, ...more }
  },
})

const times = {
  groups: Type.Array(
    Type.Object({ up_to_days: anyCount, bug_count: count }, { title: 'ReportGroup', additionalProperties: false }),
  ),
  hours: Type.Object(
    { p25: anyCount, p50: anyCount, p75: anyCount, p90: anyCount },
    { title: 'ReportQuantiles', additionalProperties: false },
  ),
  bug_count: count,
  ignored,
}

const getAges = call({
  method: 'GET',
  path: '/report/age',
  resource: 'report',
  summary: 'Count the open bugs that a search finds by their age.',
  about:
    'Takes all parameters of a search. With as_of, the bugs that match today and were open at the end of that day.',
  params: { as_of: text('A day, or a distance from now such as -1m. Now by default.') },
  unknownParams: 'kept',
  answers: Type.Object({ as_of: Type.String(), ...times }, { additionalProperties: false }),
  isSearch: true,
  scope: 'read',
  async run(callContext) {
    const { context, where, more } = await searchIn(callContext, ['as_of'])
    const at = momentOf('as_of', callContext.params.as_of, context.now)
    return { ...(await countAges(context, where, at)), ...more }
  },
})

const getTimesToClose = call({
  method: 'GET',
  path: '/report/time_to_close',
  resource: 'report',
  summary: 'Count the closed bugs that a search finds by the time from filing to closing.',
  about:
    'Takes all parameters of a search. Counts the bugs that are closed now, and whose last closing was in the period.',
  params: period,
  unknownParams: 'kept',
  answers: Type.Object({ from: date, to: date, ...times }, { additionalProperties: false }),
  isSearch: true,
  scope: 'read',
  async run(callContext) {
    const { context, where, more } = await searchIn(callContext, ['from', 'to'])
    const { from, to } = callContext.params
    return { ...(await countTimesToClose(context, where, readPeriod({ from, to }, context.now))), ...more }
  },
})

export const timeReportRoutes = [getOverTime, getAges, getTimesToClose] as const
