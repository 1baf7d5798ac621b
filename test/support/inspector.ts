import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyBody } from './body-types.ts'

const run = promisify(execFile)

/** Not among the packages of this project, because it brings a hundred others. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/** What npm says of itself, and what `lacewing mcp` says when it starts. */
const EXPECTED = /^npm |^MCP for /

/**
 * The answer of a server to the official inspector, which writes into this home folder. `target` is an address, or a command with its words.
 * Fails if it finds a fault, or a schema that not all models understand.
 */
export async function inspect(home: string, target: readonly string[], words: readonly string[]): Promise<AnyBody> {
  const launcher = ['--yes', `--package=${INSPECTOR}`, '--', 'mcp-inspector', '--cli', ...target, ...words]
  const { stdout, stderr } = await run('npx', launcher, {
    env: {
      // How this machine reaches the registry: certificates, proxies, settings of npm.
      ...process.env,
      // The script of npx looks for node in the path.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      HOME: home,
      npm_config_cache: join(homedir(), '.npm'),
    },
    maxBuffer: 1e8,
  })
  const said = stderr.split('\n').filter((line) => line !== '' && !EXPECTED.test(line))
  if (said.length > 0) throw new Error(said.join('\n'))
  return JSON.parse(stdout)
}
