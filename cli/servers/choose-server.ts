import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { looksLikeAddress, serverAddress } from './server-address.ts'
import type { ServerKind } from './server-kind.ts'
import { readServers, type SavedServer } from './servers-file.ts'

/** The server that a command talks to. */
export interface ChosenServer extends Omit<SavedServer, 'apiKey' | 'kind'> {
  /** Undefined: requests are anonymous. */
  readonly apiKey: string | undefined
  /** Undefined: nobody has logged in to it. */
  readonly kind: ServerKind | undefined
}

/** The named server; else that of LACEWING_SERVER; else the default of `lacewing servers`. */
export function chooseServer(environment: Environment, named: string | undefined): ChosenServer {
  requireUsableKey(environment)
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

function requireUsableKey({ apiKey, server }: Environment) {
  if (apiKey === undefined) return
  if (server === undefined)
    throw new CommandFailure(
      'LACEWING_API_KEY is set without LACEWING_SERVER, which must say for which server the key is.',
      EXIT.wrongCommandLine,
    )
  requireKey(apiKey, 'LACEWING_API_KEY is not an API key.')
}

/** Anything else cannot be sent. */
export function requireKey(text: string, message: string) {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) throw new CommandFailure(message, EXIT.wrongCommandLine)
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
      EXIT.notFound,
    )
  const url = serverAddress(text)
  const byAddress = servers.find((it) => it.url === url)
  return byAddress ?? { name: url, url, kind: undefined, keyId: undefined, login: undefined, apiKey: undefined }
}
