import { Type } from '@sinclair/typebox'
import { call } from '../../../access/call.ts'
import { integer, text } from '../../../platform/wire/params.ts'
import { DEEPEST, DEFAULT_DEPTH, depthIn, readGraph, relationshipIn } from './read-graph.ts'

const Graph = Type.Object(
  {
    id: Type.Integer(),
    relationship: Type.String(),
    depth: Type.Integer(),
    is_complete: Type.Boolean(),
    bugs: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          summary: Type.String(),
          status: Type.String(),
          resolution: Type.String(),
          is_open: Type.Boolean(),
          steps: Type.Integer(),
        },
        { additionalProperties: false },
      ),
    ),
    links: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

const getGraph = call({
  method: 'GET',
  path: '/bug/:ref/graph',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource: 'bug_graph',
  summary: 'Get the bugs that a bug depends on or blocks, or its duplicates, step by step.',
  about:
    'Returns at most 2000 bugs, and only those that the caller sees. Each link goes from a bug to the bug that it depends on or duplicates.',
  params: {
    relationship: text('dependencies (the default) or duplicates.'),
    depth: integer(`Largest number of steps from the bug, from 1 to ${DEEPEST}; ${DEFAULT_DEPTH} by default.`),
  },
  answers: Graph,
  isSearch: true,
  scope: 'read',
  run: (context) =>
    readGraph(
      context,
      context.path.ref ?? '',
      relationshipIn(context.params.relationship),
      depthIn(context.params.depth),
    ),
})

export const graphRoutes = [getGraph] as const
