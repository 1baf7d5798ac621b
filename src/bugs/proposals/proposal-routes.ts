import { call } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { flag, integer, text } from '../../platform/wire/params.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { decisionRoutes } from './deciding/decision-routes.ts'
import { withdrawProposal } from './deciding/withdraw-proposal.ts'
import { PROPOSAL_KINDS } from './proposal.ts'
import { OneProposal, ProposalContent, Proposals } from './proposal-schema.ts'
import { getProposalContent } from './reading/proposal-content.ts'
import {
  ASKABLE_STATES,
  filterFrom,
  MOST_PROPOSALS,
  pageIn,
  stateIn,
  USUAL_PROPOSALS,
} from './reading/proposal-filter.ts'
import { getProposal, getProposals } from './reading/read-proposals.ts'

const resource = 'proposal'
const pathParams = { id: 'Number of a proposal.' }

const pageParams = {
  status: text(
    `Only those with this status: ${ASKABLE_STATES.join(', ')}; or all. By default open, among which are those that are outdated.`,
  ),
  before: integer('Only those with a smaller number: the value of `next` of the page before.'),
  limit: integer(`Maximum number of proposals; at most ${MOST_PROPOSALS}, ${USUAL_PROPOSALS} by default.`),
}

const getList = call({
  method: 'GET',
  path: '/proposal',
  resource,
  summary: 'List proposals.',
  about:
    'Needs a login. Returns what the caller may read: proposals of bugs that they see, and of new bugs that they would see.',
  params: {
    ...pageParams,
    kind: text(`Only of this kind: ${PROPOSAL_KINDS.join(', ')}.`),
    user: text('Only those of this user, by login name.'),
    key_id: integer('Only those of this API key. For its owner and members of admin.'),
    batch: integer('Only those that one call made, by the number of its first proposal.'),
    product: text('Only of this product, by name.'),
    for_me: flag('Only of bugs that are assigned to the caller, or whose QA contact or triage owner they are.'),
  },
  answers: Proposals,
  scope: 'read',
  async run(context) {
    requireLogin(context.caller)
    return getProposals(context, await filterFrom(context, context.params), pageIn(context.params))
  },
})

const getOfBug = call({
  method: 'GET',
  path: '/bug/:ref/proposal',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'List the proposals of a bug.',
  about: 'Needs a login, and a bug that the caller can see.',
  params: pageParams,
  answers: Proposals,
  scope: 'read',
  async run(context) {
    requireLogin(context.caller)
    const { db, settings, caller, path, params } = context
    const [bugId] = await requireVisibleBugs(db, settings, viewerOf(caller), [path.ref ?? ''])
    return getProposals(context, { bugId, state: stateIn(params.status) }, pageIn(params))
  },
})

const getOne = call({
  method: 'GET',
  path: '/proposal/:id',
  pathParams,
  resource,
  summary: 'Get one proposal.',
  about: 'Needs a login. A proposal of which the caller may read nothing does not exist for them.',
  params: {},
  answers: OneProposal,
  scope: 'read',
  run: async (context) => ({ proposal: await getProposal(context, context.path.id ?? '') }),
})

const getContent = call({
  method: 'GET',
  path: '/proposal/:id/content',
  pathParams,
  resource,
  summary: 'Get the file of a proposed attachment.',
  about: 'As base64 in JSON, so that no browser takes it for anything else. It is kept until the proposal is closed.',
  params: {},
  answers: ProposalContent,
  scope: 'read',
  run: (context) => getProposalContent(context, context.path.id ?? ''),
})

const withdraw = call({
  method: 'DELETE',
  path: '/proposal/:id',
  pathParams,
  resource,
  summary: 'Withdraw a proposal.',
  about: 'For its author. With an API key that only proposes, it must be a proposal of the same key.',
  params: {},
  answers: OneProposal,
  scope: 'propose',
  run: async (context) => ({ proposal: await withdrawProposal(context, context.path.id ?? '') }),
})

export const proposalRoutes = [getList, getOfBug, getOne, getContent, withdraw, ...decisionRoutes] as const
