import { homedir } from 'node:os'
import { join } from 'node:path'

/** What the commands for people read from the environment, all in one place. */
export interface Environment {
  /** Name or address of a server, and the key for it: for programs, which do not log in. */
  readonly server: string | undefined
  readonly apiKey: string | undefined
  /** The folder of servers.json. */
  readonly configFolder: string
  /** The folder in which typed texts are kept until the server has them. */
  readonly textFolder: string
  readonly editor: string | undefined
  readonly browser: string | undefined
  readonly hasColours: boolean
  /** For the editor and the browser, which need no key. */
  readonly forPrograms: NodeJS.ProcessEnv
  /** Of the terminal, for programs that do not have one on standard output. */
  readonly columns: number | undefined
}

/** A terminal that knows no escape sequences. */
export function isDumb(variables: NodeJS.ProcessEnv = process.env): boolean {
  return variables.TERM === 'dumb'
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const home = variables.HOME || homedir()
  // Relative paths are ignored, as the XDG specification says.
  const folder = (name: string, otherwise: string) => {
    const given = variables[name]
    return join(given?.startsWith('/') ? given : join(home, otherwise), 'lacewing')
  }
  const { LACEWING_API_KEY: _, ...forPrograms } = variables
  return {
    server: variables.LACEWING_SERVER || undefined,
    apiKey: variables.LACEWING_API_KEY?.trim() || undefined,
    configFolder: folder('XDG_CONFIG_HOME', '.config'),
    textFolder: folder('XDG_STATE_HOME', '.local/state'),
    editor: variables.VISUAL || variables.EDITOR || undefined,
    browser: variables.BROWSER || undefined,
    hasColours: !variables.NO_COLOR && !isDumb(variables),
    forPrograms,
    columns: Number(variables.COLUMNS) || undefined,
  }
}
