import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { orNotHere } from '../failures/rest-failures.ts'
import type { Connection } from '../servers/connection.ts'
import type { FoundBug } from './found-bugs.ts'
import { objectsIn } from './objects-in.ts'
import { shownValue } from './shown-value.ts'

const WHAT = 'a call for saved searches'

/** The saved searches of the user: `name`, `owner`, `query`. */
export async function savedSearches(connection: Connection): Promise<readonly FoundBug[]> {
  const { client, name } = connection
  if (!(await connection.isLacewing())) return savedInBugzilla(connection)
  const { saved_searches: searches } = await orNotHere(client.get('/saved_search'), name, WHAT)
  return objectsIn(searches, 'saved_searches')
}

/** Bugzilla has them among the facts about oneself. */
async function savedInBugzilla({ client, name, server: { login } }: Connection): Promise<readonly FoundBug[]> {
  if (login === undefined)
    throw new CommandFailure(`${name} does not say whose key it is: sign in with --login.`, EXIT.notOnThisServer)
  const { users } = await client.get('/user', { names: [login] })
  const searches = objectsIn(users, 'users')[0]?.saved_searches
  if (searches === undefined) throw new CommandFailure(`${name} does not have ${WHAT}.`, EXIT.notOnThisServer)
  return objectsIn(searches, 'saved_searches').map((it) => ({ ...it, owner: login }))
}

/** The parameters of a search that has `savedsearch`, for a server that would ignore it and find all bugs. */
export async function withSavedSearch(
  params: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<Readonly<Record<string, unknown>>> {
  const { savedsearch, sharer_id, ...others } = params
  if (savedsearch === undefined || (await connection.isLacewing())) return params
  if (sharer_id !== undefined)
    throw new CommandFailure(`${connection.name} does not have searches of other users.`, EXIT.notOnThisServer)
  const saved = (await savedSearches(connection)).find((it) => it.name === savedsearch)
  if (saved === undefined)
    throw new CommandFailure(`There is no saved search ${shownValue(savedsearch)}.`, EXIT.notFound)
  const query = new URLSearchParams(shownValue(saved.query))
  const own = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const)
  return { ...Object.fromEntries(own), ...others }
}
