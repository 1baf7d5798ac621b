import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { Created, Deleted } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, text, time } from '../../platform/wire/params.ts'
import { createSeries, getSeries, removeSeries, requireChartReader } from './change-series.ts'
import { presentSeries } from './series.ts'
import { listCounts, listSeriesFor } from './series-view-store.ts'

const resource = 'series'
const pathParams = { id: 'Id of a series.' }
const orNull = Type.Union([Type.String(), Type.Null()])

const OneSeries = Type.Object(
  {
    id: Type.Integer(),
    category: Type.String(),
    subcategory: Type.String(),
    name: Type.String(),
    query: Type.String({ description: 'Parameters of a search, as they stand in an address.' }),
    product: orNull,
    component: orNull,
    frequency: Type.Integer({ description: 'It is counted every so many days.' }),
    is_public: Type.Boolean(),
    creator: orNull,
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'Series', additionalProperties: false },
)
const ManySeries = Type.Object({ series: Type.Array(OneSeries) }, { additionalProperties: false })

const getAll = call({
  method: 'GET',
  path: '/series',
  resource,
  summary: 'List series.',
  about: 'For members of the group in the parameter chartgroup. By category, subcategory and id.',
  params: {
    category: text('Only those of this category, which for a product is its name.'),
    subcategory: text(
      'Only those of this subcategory, which for a component is its name, and for a whole product -All-.',
    ),
  },
  answers: ManySeries,
  selectsFields: true,
  scope: 'read',
  async run({ db, caller, settings, params, select }) {
    const { category, subcategory } = params
    const filter = { ...(category !== undefined && { category }), ...(subcategory !== undefined && { subcategory }) }
    const found = await listSeriesFor(db, requireChartReader(caller, settings), settings, filter)
    return { series: found.map((it) => select.pick(presentSeries(it))) }
  },
})

const getOne = call({
  method: 'GET',
  path: '/series/:id',
  pathParams,
  resource,
  summary: 'Get one series.',
  params: {},
  answers: ManySeries,
  selectsFields: true,
  scope: 'read',
  run: async (context) => ({
    series: [context.select.pick(presentSeries(await getSeries(context, context.path.id ?? '')))],
  }),
})

const getCounts = call({
  method: 'GET',
  path: '/series/:id/data',
  pathParams,
  resource,
  summary: 'Get what a series has counted.',
  about: 'By day. Days on which it was not counted are not there.',
  params: {
    from: time('The first day.'),
    to: time('The last day.'),
  },
  answers: Type.Object(
    {
      id: Type.Integer(),
      data: Type.Array(
        Type.Object(
          { date: Type.String({ format: 'date' }), bug_count: Type.Integer() },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  async run(context) {
    const { from = '0001-01-01', to = '9999-12-31' } = context.params
    const { id } = await getSeries(context, context.path.id ?? '')
    const counts = await listCounts(context.db, id, from.slice(0, 10), to.slice(0, 10))
    return { id, data: counts.map(({ on_day, bug_count }) => ({ date: on_day, bug_count })) }
  },
})

const post = call({
  method: 'POST',
  idempotency: 'once',
  path: '/series',
  resource,
  summary: 'Make a series: a search whose bugs are counted again and again.',
  about:
    'For members of editbugs who are in the group of the parameter chartgroup. A series counts the bugs that its creator sees, and only the creator sees it. A public series, which needs membership in admin, counts the bugs that all its readers see.',
  params: {
    category: documentedAsRequired(text('At most 64 characters.')),
    subcategory: documentedAsRequired(text('At most 64 characters.')),
    name: documentedAsRequired(text('At most 64 characters.')),
    query: documentedAsRequired(text('Parameters of a search, as they stand in an address.')),
    frequency: integer('It is counted every so many days: 7, and at least 7 but for members of admin.'),
    is_public: flag('Whether everybody who may see charts sees it; only for members of admin.'),
  },
  answers: Created,
  status: 201,
  scope: 'write',
  async run(context) {
    const { category = '', subcategory = '', name = '', query = '', frequency = 7, is_public = false } = context.params
    return { id: await createSeries(context, { category, subcategory, name, query, frequency, is_public }) }
  },
})

const remove = call({
  method: 'DELETE',
  path: '/series/:id',
  pathParams,
  resource,
  summary: 'Delete a series, and all that it has counted.',
  about: 'For its creator and for members of admin.',
  params: {},
  answers: Deleted,
  scope: 'write',
  run: (context) => removeSeries(context, context.path.id ?? ''),
})

export const seriesRoutes = [getAll, getOne, getCounts, post, remove] as const
