import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { looksLikeAddress, serverAddress } from './server-address.ts'
import { readServers, type SavedServer } from './servers-file.ts'

/** The server that a command talks to. */
export interface ChosenServer extends Omit<SavedServer, 'apiKey' | 'isLacewing'> {
  /** Undefined: requests are anonymous. */
  readonly apiKey: string | undefined
  /** Undefined: it is found out when it matters. */
  readonly isLacewing: boolean | undefined
}

/** The named server; else that of LACEWING_SERVER; else the default of `lacewing servers`. */
export function chooseServer(environment: Environment, named: string | undefined): ChosenServer {
  if (environment.apiKey !== undefined && environment.server === undefined)
    throw new CommandFailure(
      'LACEWING_API_KEY is set without LACEWING_SERVER, which must say for which server the key is.',
      EXIT.wrongCommandLine,
    )
  const fromEnvironment = environment.server === undefined ? undefined : serverOf(environment, environment.server)
  if (named === undefined && fromEnvironment !== undefined) return withKey(fromEnvironment, environment.apiKey)
  const { usual, servers } = readServers(environment)
  const chosen = named === undefined ? servers.find(({ name }) => name === usual) : serverOf(environment, named)
  if (chosen === undefined)
    throw new CommandFailure(
      'No server is chosen. Sign in with: lacewing login https://bugs.example.org',
      EXIT.notSignedIn,
    )
  // The key of the environment is only for the server of the environment.
  return chosen.url === fromEnvironment?.url ? withKey(chosen, environment.apiKey) : chosen
}

function withKey(server: ChosenServer, apiKey: string | undefined): ChosenServer {
  return apiKey === undefined ? server : { ...server, apiKey, keyId: undefined, login: undefined }
}

/** By the name of a saved server, or by an address; the saved key of the same address is used. */
function serverOf(environment: Environment, text: string): ChosenServer {
  const { servers } = readServers(environment)
  const byName = servers.find(({ name }) => name === text)
  if (byName !== undefined) return byName
  if (!looksLikeAddress(text))
    throw new CommandFailure(
      `No server is called ${text}. These are known: ${servers.map(({ name }) => name).join(', ') || 'none'}.`,
      EXIT.notSignedIn,
    )
  const url = serverAddress(text)
  const byAddress = servers.find((it) => it.url === url)
  const unknown = { keyId: undefined, login: undefined, apiKey: undefined, isLacewing: undefined }
  return byAddress ?? { name: url, url, rest: 'rest', ...unknown }
}
