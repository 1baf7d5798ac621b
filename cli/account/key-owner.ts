import { type Client, RestError } from '../../client/index.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { isMissingCall, isNotSignedIn } from '../failures/rest-failures.ts'
import { StrangeAnswer } from '../failures/strange-answer.ts'

/** Whose key the client has. Undefined if the server does not say. Throws if the key is not valid, or not one of `login`. */
export async function keyOwner(client: Client, login: string | undefined): Promise<string | undefined> {
  try {
    const { name } = await client.get('/whoami')
    if (typeof name === 'string') return name
    throw new StrangeAnswer('it does not say whose key it is')
  } catch (fault) {
    if (!isMissingCall(fault)) throw fault
  }
  if (login === undefined) await requireValidKey(client)
  else await requireOwner(client, login)
  return login
}

/** Bugzilla 5 can only compare the owner of a key with a login name. */
export async function requireOwner(client: Client, login: string) {
  const answer: unknown = await client.get('/valid_login', { login })
  const isValid =
    answer === true || (typeof answer === 'object' && answer !== null && 'result' in answer && answer.result === true)
  if (!isValid) throw new CommandFailure(`The key is not one of ${login}.`, EXIT.notSignedIn)
}

/** A Bugzilla refuses a wrong key on every call that looks at keys, also for a bug that does not exist. */
async function requireValidKey(client: Client) {
  try {
    await client.get('/bug/:ref', { ref: 1, include_fields: 'id' })
  } catch (fault) {
    if (!(fault instanceof RestError) || fault.code === 0 || isNotSignedIn(fault)) throw fault
  }
}
