import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { text } from '../../platform/wire/params.ts'
import { readSearch } from '../parsing/parse-url.ts'
import { searchContextOf } from '../search-context.ts'
import { makeReport } from './make-report.ts'

const name = Type.Union([Type.String(), Type.Null()])
const values = Type.Array(Type.String())

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
      ignored: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: false },
  ),
  isSearch: true,
  scope: 'read',
  async run(callContext) {
    const { x_axis_field: x, y_axis_field: y, z_axis_field: z } = callContext.params
    const context = await searchContextOf(callContext)
    const { where, ignored } = await readSearch(context, callContext.rawParams)
    const axes = { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(z !== undefined && { z }) }
    return { ...(await makeReport(context, where, axes)), ...(ignored.length > 0 && { ignored }) }
  },
})

export const reportRoutes = [getReport] as const
