import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { anything, integer, MOST_ITEMS, required } from '../../platform/wire/params.ts'
import { readBugVotes, readUserVotes } from './read-votes.ts'
import { setOwnVotes, wantedVotesIn } from './set-votes.ts'

const resource = 'vote'
const strict = { additionalProperties: false }
const bugPath = { ref: 'Number or alias of a bug.' }
const number = (description: string) => Type.Integer({ description })

const LIMITS = {
  votesperuser: number('Votes that a user has for all bugs of the product; 0 without voting.'),
  maxvotesperbug: number('Votes that a user can give to one bug.'),
  votestoconfirm: number('Votes that confirm an unconfirmed bug; 0 for never.'),
}

const Own = Type.Object(
  {
    votes: number('What the caller gives to the bug.'),
    used: number('What the caller gives to all bugs of the product.'),
    most: number('The most that the caller can give to this bug now.'),
  },
  { title: 'OwnVotes', ...strict },
)

const BugVotes = Type.Object(
  {
    bug_id: Type.Integer(),
    votes: number('The sum of the votes of all users.'),
    product: Type.String(),
    ...LIMITS,
    voter_count: number('How many users vote for the bug.'),
    voters: Type.Array(
      Type.Object(
        { id: Type.Integer(), name: Type.String(), real_name: Type.String(), votes: Type.Integer() },
        { title: 'Voter', ...strict },
      ),
      { description: 'Those who give the most come first.' },
    ),
    own: Type.Optional(Own),
  },
  { title: 'BugVotes', ...strict },
)

const ProductVotes = Type.Object(
  { product: Type.String(), ...LIMITS, used: number('What the caller gives to all bugs of the product.') },
  { title: 'ProductVotes', ...strict },
)

const VotedBug = Type.Object(
  {
    bug_id: Type.Integer(),
    product: Type.String(),
    summary: Type.String(),
    is_open: Type.Boolean(),
    votes: number('What the user gives to the bug.'),
    bug_votes: number('The sum of the votes of all users.'),
  },
  { title: 'VotedBug', ...strict },
)

const UserVotes = Type.Object(
  {
    user: Type.String({ description: 'Login name.' }),
    bugs: Type.Array(VotedBug, { description: 'By product and number. Bugs that the caller cannot see are left out.' }),
    products: Type.Optional(
      Type.Array(ProductVotes, {
        description: 'Only for the caller: the products in which they can vote, or have voted.',
      }),
    ),
  },
  { title: 'UserVotes', ...strict },
)

const VotesSet = Type.Object(
  {
    votes: Type.Array(
      Type.Object(
        {
          bug_id: Type.Integer(),
          votes: number('What the caller gives to the bug now.'),
          bug_votes: number('The sum of the votes of all users.'),
        },
        { title: 'VotesSet', ...strict },
      ),
    ),
  },
  strict,
)

const getBugVotes = call({
  method: 'GET',
  path: '/bug/:ref/votes',
  pathParams: bugPath,
  resource,
  summary: 'Get who votes for a bug.',
  about: 'Needs a bug that the caller can see.',
  params: {
    limit: integer(`How many voters to return, from 0 to ${MOST_ITEMS}; 100 by default.`),
    offset: integer('How many voters to skip.'),
  },
  answers: BugVotes,
  scope: 'read',
  run: (context) => readBugVotes(context, context.path.ref ?? '', context.params),
})

const putBugVotes = call({
  method: 'PUT',
  path: '/bug/:ref/votes',
  pathParams: bugPath,
  resource,
  summary: 'Vote for a bug.',
  about:
    'Sets how many votes the caller gives to the bug; 0 takes them back. Needs a login and a bug that the caller can see, whether or not they can change it. The history has no votes, and nobody gets mail about them.',
  params: { votes: required(integer('From 0 to maxvotesperbug of the product.')) },
  answers: VotesSet,
  scope: 'write',
  run: (context) => setOwnVotes(context, [{ ref: context.path.ref ?? '', votes: context.params.votes }]),
})

const userPath = { user: 'Id or login name.' }

const getUserVotes = call({
  method: 'GET',
  path: '/user/:user/votes',
  pathParams: userPath,
  resource,
  summary: 'Get the bugs that a user votes for.',
  about: 'Needs a login. Of other users, only votes for bugs that the caller can see are returned.',
  params: {},
  answers: UserVotes,
  scope: 'read',
  run: (context) => readUserVotes(context, context.path.user ?? ''),
})

const putUserVotes = call({
  method: 'PUT',
  path: '/user/:user/votes',
  pathParams: { user: 'Id or login name of the caller.' },
  resource,
  summary: 'Vote for several bugs.',
  about:
    'Sets the caller’s votes for all of these bugs, or for none if one is refused. The limits of a product apply to the result, so that votes can be moved from one bug to another. Bugs that are not listed keep their votes.',
  params: {
    votes: required(
      anything(
        `The bugs with their votes, such as [{"bug": 1001, "votes": 2}]; 0 takes votes back. At most ${MOST_ITEMS}.`,
        Type.Array(Type.Object({ bug: Type.Union([Type.Integer(), Type.String()]), votes: Type.Integer() }, strict), {
          maxItems: MOST_ITEMS,
        }),
      ),
    ),
  },
  answers: VotesSet,
  scope: 'write',
  run: (context) => setOwnVotes(context, wantedVotesIn(context.params.votes), context.path.user ?? ''),
})

export const voteRoutes = [getBugVotes, putBugVotes, getUserVotes, putUserVotes] as const
