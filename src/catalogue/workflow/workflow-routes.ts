import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { Changes } from '../../platform/wire/openapi/schemas.ts'
import { flag, type Param, readFlag, requireAtMost, required } from '../../platform/wire/params.ts'
import { changeTransition, changeWorkflow } from './change-workflow.ts'
import { presentWorkflow, type TransitionJson } from './workflow-json.ts'
import { keptWorkflow } from './workflow-store.ts'

const resource = 'workflow'

const Transition = Type.Object(
  {
    from: Type.Union([Type.String(), Type.Null()], { description: 'Null for a new bug.' }),
    to: Type.String(),
    comment_required: Type.Boolean(),
  },
  { title: 'StatusTransition', additionalProperties: false },
)

const ChangedWorkflow = Type.Object(
  { transitions: Type.Array(Transition), changes: Changes },
  { additionalProperties: false },
)

const getWorkflow = call({
  method: 'GET',
  path: '/workflow',
  resource,
  summary: 'List the allowed changes of status.',
  about: 'A bug can always keep its status, so there are no transitions from a status to itself.',
  params: {},
  answers: Type.Object({ transitions: Type.Array(Transition) }, { additionalProperties: false }),
  scope: 'read',
  run: async ({ catalogue }) => ({ transitions: presentWorkflow(await catalogue(keptWorkflow)) }),
})

/** Enough for transitions between all pairs of fifty statuses. */
const MOST_TRANSITIONS = 2500

const transitions: Param<TransitionJson[] | undefined> = {
  about:
    'All transitions: each with from (a status, or null for a new bug), to, and comment_required (false by default).',
  schema: Type.Array(
    Type.Object({
      from: Type.Union([Type.String(), Type.Null()]),
      to: Type.String(),
      comment_required: Type.Optional(Type.Boolean()),
    }),
    { maxItems: MOST_TRANSITIONS },
  ),
  isRequired: true,
  read(name, input) {
    if (input === undefined || input === null) return undefined
    if (!Array.isArray(input)) throw errors.bad_value({ name, value: input, right: 'it must be a list of transitions' })
    return requireAtMost(MOST_TRANSITIONS, name, input).map((item) => readTransition(name, item))
  },
}

function readTransition(name: string, input: unknown): TransitionJson {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw errors.bad_value({
      name,
      value: input,
      right: 'each transition must be an object with from, to and comment_required',
    })
  const { from, to, comment_required = false, ...rest } = input as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    throw errors.bad_value({
      name,
      value: unknown,
      right: 'the properties of a transition are from, to and comment_required',
    })
  if (from === undefined) throw errors.parameter_required({ name: `${name}.from`, hint: 'null stands for a new bug' })
  if (typeof to !== 'string') throw errors.parameter_required({ name: `${name}.to`, hint: 'the name of a status' })
  if (from !== null && typeof from !== 'string')
    throw errors.bad_value({ name: `${name}.from`, value: from, right: 'it must be the name of a status, or null' })
  return { from, to, comment_required: readFlag(`${name}.comment_required`, comment_required) }
}

const putWorkflow = call({
  method: 'PUT',
  path: '/workflow',
  resource,
  summary: 'Replace the whole workflow.',
  about:
    'For members of admin. Transitions that are not in the list are removed. Missing transitions to the status in the parameter duplicate_or_move_bug_status are added.',
  params: { transitions: required(transitions) },
  unknownParams: 'refused',
  answers: ChangedWorkflow,
  scope: 'admin',
  async run({ db, caller, params }) {
    const { workflow, changes } = await changeWorkflow(db, requireGroup(caller, 'admin').id, params.transitions)
    return { transitions: presentWorkflow(workflow), changes }
  },
})

const stepParams = {
  is_allowed: required(flag('Whether bugs can make this step.')),
  comment_required: flag('Whether the step needs a comment; no by default.'),
}
const putTransition = call({
  method: 'PUT',
  path: '/workflow/from/:from/:to',
  pathParams: { from: 'Name of a status.', to: 'Name of another status.' },
  resource,
  summary: 'Allow or forbid one change of status.',
  about: 'For members of admin. All other transitions stay as they are.',
  params: stepParams,
  unknownParams: 'refused',
  answers: ChangedWorkflow,
  scope: 'admin',
  run: (context) => changeStep(context, context.path.from ?? ''),
})

const putFirstStatus = call({
  method: 'PUT',
  path: '/workflow/new/:to',
  pathParams: { to: 'Name of a status.' },
  resource,
  summary: 'Allow or forbid a status for new bugs.',
  about: 'For members of admin. All other transitions stay as they are.',
  params: stepParams,
  unknownParams: 'refused',
  answers: ChangedWorkflow,
  scope: 'admin',
  run: (context) => changeStep(context, null),
})

async function changeStep({ db, caller, path, params }: CallContext<typeof stepParams>, from: string | null) {
  const { is_allowed, comment_required = false } = params
  const wanted = { from, to: path.to ?? '', comment_required }
  const { workflow, changes } = await changeTransition(db, requireGroup(caller, 'admin').id, wanted, is_allowed)
  return { transitions: presentWorkflow(workflow), changes }
}

export const workflowRoutes = [getWorkflow, putWorkflow, putTransition, putFirstStatus] as const
