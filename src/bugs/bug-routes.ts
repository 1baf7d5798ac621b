import { type CallContext, call } from '../access/call.ts'
import { Created, Deleted } from '../platform/wire/openapi/schemas.ts'
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
import { Access, Bugs, BugsFound, BugsUpdated } from './reading/bug-schema.ts'
import { getBugs } from './reading/get-bugs.ts'
import { explainAccess } from './rights/explain-access.ts'

const resource = 'bug'

const getParams = {
  ids: refs('More bugs, by number or alias.', MOST_TO_READ),
  permissive: flag('Bugs that are not there are told as faults, and the others answered.'),
  as_of: time('The bugs as they were at that time, rebuilt from their history.'),
}

const getBug = call({
  method: 'GET',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get one bug, or several.',
  about: 'A bug that the caller may not see is refused with 102; so is the whole call, unless permissive is given.',
  params: getParams,
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  run: (context) => bugsAskedFor(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const getBugsByIds = call({
  method: 'GET',
  path: '/bug/',
  resource,
  summary: 'Get several bugs.',
  about: 'The same as with a bug in the path, all of them being in ids.',
  params: getParams,
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  run: (context) => bugsAskedFor(context, context.params.ids ?? []),
})

const getSearch = call({
  method: 'GET',
  path: '/bug',
  resource: 'search',
  summary: 'Search for bugs.',
  about:
    'All criteria must hold; of a parameter that is repeated, any value. Every parameter of the search form is understood as well. Bugs that the caller may not see are not found. What means nothing here is named in the answer’s `ignored`.',
  params: SEARCH_PARAMS,
  unknownParams: 'kept',
  answers: BugsFound,
  otherForms: FORMS,
  selectsFields: true,
  scope: 'read',
  run: searchBugs,
})

function bugsAskedFor(context: CallContext<typeof getParams>, refs: readonly string[]) {
  const { permissive = false, as_of } = context.params
  return as_of === undefined ? getBugs(context, refs, permissive) : getBugsAsOf(context, refs, permissive, as_of)
}

const postBug = call({
  method: 'POST',
  path: '/bug',
  resource,
  summary: 'File a bug.',
  about:
    'Custom fields are given by their names. A field that does not exist is refused with 53; one that the caller may not choose gets its default.',
  params: CREATE_PARAMS,
  unknownParams: 'kept',
  answers: Created,
  scope: 'write',
  run: createBug,
})

const putBug = call({
  method: 'PUT',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Change one bug, or several alike.',
  about:
    'All of the bugs are changed, or none. Custom fields are given by their names. What the call does not know is named in the answer’s `ignored`. With dry_run nothing is changed, and what would be is answered.',
  params: updateParams,
  unknownParams: 'kept',
  answers: BugsUpdated,
  readsIfMatch: true,
  scope: 'write',
  run: (context) => updateBugs(context, [context.path.ref ?? '', ...(context.params.ids ?? [])]),
})

const putBugs = call({
  method: 'PUT',
  path: '/bug/update',
  resource,
  summary: 'Change several bugs alike.',
  about: 'The same as with a bug in the path, all of them being in ids.',
  params: updateParams,
  unknownParams: 'kept',
  answers: BugsUpdated,
  readsIfMatch: true,
  scope: 'write',
  run: (context) => updateBugs(context, context.params.ids ?? []),
})

const getAccess = call({
  method: 'GET',
  path: '/bug/:ref/access',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Ask why somebody may or may not see and change a bug.',
  about: 'About oneself; about others it needs membership in editusers.',
  params: { user: text('Login name or id; without it, whoever asks.') },
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

export const bugRoutes = [getAccess, putBugs, putBug, getBugsByIds, getBug, getSearch, postBug, deleteOne]
