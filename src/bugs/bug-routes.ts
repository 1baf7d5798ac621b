import { type CallContext, call } from '../access/call.ts'
import { CreatedInPart, Deleted } from '../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, MOST_TO_READ, refs, text, time } from '../platform/wire/params.ts'
import { deleteBug } from './editing/delete-bug.ts'
import { LONGEST_REASON } from './editing/deletion-reason.ts'
import { updateBugs } from './editing/update-bugs.ts'
import { updateParams } from './editing/update-params.ts'
import { createBug } from './filing/create-bug.ts'
import { CREATE_PARAMS } from './filing/create-params.ts'
import { getBugsAsOf } from './history/get-bugs-as-of.ts'
import { searchBugs } from './listing/search-bugs.ts'
import { SEARCH_PARAMS } from './listing/search-params.ts'
import { FORMS } from './lists/bug-list.ts'
import { draftBug } from './proposals/drafts/draft-bug.ts'
import { draftChange } from './proposals/drafts/draft-change.ts'
import { PROPOSING } from './proposals/proposing.ts'
import { Access, Bugs, BugsFound, BugsUpdated } from './reading/bug-schema.ts'
import { getBugs } from './reading/get-bugs.ts'
import { explainAccess } from './rights/explain-access.ts'

const resource = 'bug'

const getParams = {
  ids: refs('More bugs, by number or alias.', MOST_TO_READ),
  permissive: flag('List bugs that are missing or hidden under `faults`, and return the others.'),
  as_of: time('Return the bugs as they were at this time, rebuilt from their history.'),
}

const getBug = call({
  method: 'GET',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get one bug, or several.',
  about: 'If the caller may not see one of the bugs, the whole call fails with error 102, unless permissive is given.',
  params: getParams,
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  run: (context) => getRequestedBugs(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const getBugsByIds = call({
  method: 'GET',
  path: '/bug/',
  resource,
  summary: 'Get several bugs.',
  about: 'The same as with a bug in the path, except that all bugs are in ids.',
  params: getParams,
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  run: (context) => getRequestedBugs(context, context.params.ids ?? []),
})

const getSearch = call({
  method: 'GET',
  path: '/bug',
  resource: 'search',
  summary: 'Search for bugs.',
  about:
    'Finds bugs that meet all criteria; a repeated parameter is met by any of its values. All parameters of Bugzilla’s search form work too. Bugs that the caller may not see are not found. Parameters without meaning are listed in `ignored`.',
  params: SEARCH_PARAMS,
  unknownParams: 'kept',
  answers: BugsFound,
  otherForms: FORMS,
  selectsFields: true,
  isSearch: true,
  scope: 'read',
  run: searchBugs,
})

function getRequestedBugs(context: CallContext<typeof getParams>, refs: readonly string[]) {
  const { permissive = false, as_of } = context.params
  return as_of === undefined ? getBugs(context, refs, permissive) : getBugsAsOf(context, refs, permissive, as_of)
}

const postBug = call({
  method: 'POST',
  idempotency: 'once',
  path: '/bug',
  resource,
  summary: 'File a bug.',
  about:
    'Custom fields are set by name. A field that does not exist is refused with error 53. A field that the caller may not set gets its default, and `ignored` names it.',
  params: CREATE_PARAMS,
  unknownParams: 'kept',
  answers: CreatedInPart,
  scope: 'write',
  run: createBug,
  proposes: { draft: draftBug, ...PROPOSING },
})

const putBug = call({
  method: 'PUT',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Change one bug, or make the same changes to several.',
  about:
    'Either all of the bugs are changed, or none. Custom fields are set by name. Unknown parameters are listed in `ignored`. With dry_run nothing is changed, and the response shows what would be.',
  params: updateParams,
  unknownParams: 'kept',
  answers: BugsUpdated,
  readsIfMatch: true,
  scope: 'write',
  run: (context) => updateBugs(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
  proposes: {
    draft: (context) => draftChange(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
    ...PROPOSING,
  },
})

const putBugs = call({
  method: 'PUT',
  path: '/bug/update',
  resource,
  summary: 'Make the same changes to several bugs.',
  about: 'The same as with a bug in the path, except that all bugs are in ids.',
  params: updateParams,
  unknownParams: 'kept',
  answers: BugsUpdated,
  readsIfMatch: true,
  scope: 'write',
  run: (context) => updateBugs(context, context.params.ids ?? []),
  proposes: { draft: (context) => draftChange(context, context.params.ids ?? []), ...PROPOSING },
})

const getAccess = call({
  method: 'GET',
  path: '/bug/:ref/access',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Explain why a user may or may not see and change a bug.',
  about: 'To ask about other users, the caller must be a member of editusers.',
  params: { user: text('Login name or id of a user; by default the caller.') },
  answers: Access,
  scope: 'read',
  run: (context) => explainAccess(context, context.path.ref ?? '', context.params.user),
})

const deleteOne = call({
  method: 'DELETE',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Delete a bug.',
  about:
    'For members of admin, while the parameter allowbugdeletion is on. The bug is gone for good, with its comments, attachments and history. Its number is not used again.',
  params: { reason: documentedAsRequired(text(`Why it is deleted, in at most ${LONGEST_REASON} characters.`)) },
  answers: Deleted,
  scope: 'admin',
  run: (context) => deleteBug(context, context.path.ref ?? '', context.params.reason),
})

export const bugRoutes = [getAccess, putBugs, putBug, getBugsByIds, getBug, getSearch, postBug, deleteOne] as const
