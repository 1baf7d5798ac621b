import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { Created, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, text } from '../../platform/wire/params.ts'
import { DeletedInSteps, inSteps, presentDeleted } from '../removals/removal-json.ts'
import { changeKeyword, createKeyword, removeKeyword } from './change-keywords.ts'
import { getKeyword, listKeywords } from './keyword-store.ts'

const resource = 'keyword'
const pathParams = { ref: 'Name or id of a keyword.' }

const Keyword = Type.Object(
  { id: Type.Integer(), name: Type.String(), description: Type.String() },
  { title: 'Keyword', additionalProperties: false },
)
const Keywords = Type.Object({ keywords: Type.Array(Keyword) }, { additionalProperties: false })

const params = {
  name: text('One word, unique regardless of letter case.'),
  description: text('Meaning of the keyword.'),
}

const getKeywords = call({
  method: 'GET',
  path: '/keyword',
  resource,
  summary: 'List all keywords.',
  params: {},
  answers: Keywords,
  selectsFields: true,
  scope: 'read',
  run: async ({ db, select }) => ({ keywords: (await listKeywords(db)).map((keyword) => select.pick(keyword)) }),
})

const getOneKeyword = call({
  method: 'GET',
  path: '/keyword/:ref',
  pathParams,
  resource,
  summary: 'Get one keyword.',
  params: {},
  answers: Keywords,
  selectsFields: true,
  scope: 'read',
  run: async ({ db, path, select }) => ({ keywords: [select.pick(await getKeyword(db, path.ref ?? ''))] }),
})

const postKeyword = call({
  method: 'POST',
  idempotency: 'once',
  path: '/keyword',
  resource,
  summary: 'Create a keyword.',
  about: 'For members of editkeywords.',
  params: { name: documentedAsRequired(params.name), description: documentedAsRequired(params.description) },
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async ({ db, caller, params }) => ({
    id: await createKeyword(db, requireGroup(caller, 'editkeywords').id, params),
  }),
})

const putKeyword = call({
  method: 'PUT',
  path: '/keyword/:ref',
  pathParams,
  resource,
  summary: 'Change a keyword.',
  about: 'For members of editkeywords. Bugs keep a keyword that is renamed.',
  params,
  unknownParams: 'refused',
  answers: updated('keywords'),
  scope: 'admin',
  run: async ({ db, caller, path, params }) => ({
    keywords: [await changeKeyword(db, requireGroup(caller, 'editkeywords').id, path.ref ?? '', params)],
  }),
})

const deleteKeyword = call({
  method: 'DELETE',
  path: '/keyword/:ref',
  pathParams,
  resource,
  summary: 'Delete a keyword, or merge it into another one.',
  about: 'For members of editkeywords. The keyword is removed from all bugs; with replace_with they get another one.',
  params: { replace_with: text('Name or id of the keyword that bugs get instead.'), in_steps: inSteps },
  answers: DeletedInSteps,
  scope: 'admin',
  async run({ db, caller, path, params }) {
    const who = requireGroup(caller, 'editkeywords').id
    const { replace_with: replaceWith, in_steps } = params
    const { keyword, removal } = await removeKeyword(db, who, path.ref ?? '', { replaceWith, inSteps: in_steps })
    return presentDeleted(keyword, removal, caller)
  },
})

export const keywordRoutes = [getKeywords, getOneKeyword, postKeyword, putKeyword, deleteKeyword] as const
