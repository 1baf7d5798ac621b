import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { flag, text } from '../../platform/wire/params.ts'
import { makeReport } from './make-report.ts'
import { momentOf } from './report-days.ts'
import { tableOf } from './report-table.ts'
import { searchIn } from './searched-bugs.ts'

const name = Type.Union([Type.String(), Type.Null()])
const values = Type.Array(Type.String())
const totals = Type.Array(Type.Integer(), { description: 'In the order of the values.' })

const getReport = call({
  method: 'GET',
  path: '/report',
  resource: 'report',
  summary: 'Count the bugs that a search finds, by up to three fields.',
  about: 'Takes all parameters of a search. Only cells that are not empty are returned.',
  params: {
    x_axis_field: text('Name of a field.'),
    y_axis_field: text('Name of a field.'),
    z_axis_field: text('Name of a field.'),
    as_of: text('A day, or a distance from now such as -1m: counts by the values at its end.'),
    with_totals: flag('Whether to return how many bugs have each value of an axis.'),
    ctype: text('Format of the response: csv. JSON without it.'),
  },
  unknownParams: 'kept',
  answers: Type.Object(
    {
      x_axis_field: name,
      x_values: values,
      y_axis_field: name,
      y_values: values,
      z_axis_field: name,
      z_values: values,
      counts: Type.Array(
        Type.Object(
          {
            x: Type.Optional(Type.String()),
            y: Type.Optional(Type.String()),
            z: Type.Optional(Type.String()),
            bug_count: Type.Integer(),
          },
          { additionalProperties: false },
        ),
      ),
      bug_count: Type.Integer(),
      as_of: Type.Optional(Type.String()),
      x_totals: Type.Optional(totals),
      y_totals: Type.Optional(totals),
      z_totals: Type.Optional(totals),
      ignored: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: false },
  ),
  otherForms: { csv: 'text/csv' },
  isSearch: true,
  scope: 'read',
  async run(callContext) {
    const { x_axis_field: x, y_axis_field: y, z_axis_field: z, as_of, with_totals: withTotals } = callContext.params
    const { context, where, more } = await searchIn(callContext, ['as_of', 'with_totals', 'ctype'])
    const axes = { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(z !== undefined && { z }) }
    const at = momentOf('as_of', as_of, context.now)
    const report = await makeReport(context, where, { axes, at, withTotals })
    if (callContext.form === 'csv') return tableOf(report)
    return { ...report, ...(at !== undefined && { as_of: at }), ...more }
  },
})

export const reportRoutes = [getReport] as const
