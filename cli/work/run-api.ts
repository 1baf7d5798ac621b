import { type Context, wrongCommandLine } from '../context.ts'
import { exitCodeFor } from '../failures/rest-failures.ts'
import { readStandardInput } from '../input/ask.ts'
import { nameAndValue } from '../reading/search-options.ts'
import { cleanLine, jsonText, linesOf } from '../text/clean-text.ts'
import { readTextFile } from '../writing/typed-text.ts'

export interface ApiOptions {
  readonly query?: readonly string[]
  readonly body?: string
  readonly header?: readonly string[]
  readonly include?: boolean
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']

/** Any call. The body and the response are passed on as they are. */
export async function runApi(givenMethod: string, path: string, options: ApiOptions, { output, connect }: Context) {
  const method = givenMethod.toUpperCase()
  if (!METHODS.includes(method)) throw wrongCommandLine(`${givenMethod} is not a method: ${METHODS.join(', ')}.`)
  const { client, server } = connect()
  const address = addressIn(server.url, path, options.query ?? [])
  const body = await bodyOf(method, options.body)
  const headers = Object.fromEntries((options.header ?? []).map(headerOf))
  const response = await client.send(method, address, body, { headers })
  if (options.include) {
    const lines = [`${response.status} ${response.statusText}`.trim()]
    for (const [name, value] of response.headers) lines.push(`${name}: ${value}`)
    await output.lines([...lines, ''])
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  await printBody(bytes, output)
  if (response.status >= 400) process.exitCode = exitCodeFor(response.status, bytes.toString('utf8'))
}

/** The key must not go to another place, so the path stays below the REST API of the server. */
export function addressIn(base: string, path: string, query: readonly string[]): string {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|\\|[\s\p{Cc}]/iu.test(path))
    throw wrongCommandLine(`${path} is not a path below /rest, such as /bug/1001.`)
  const below = `/${path.replace(/^\/?(?:rest\/)?/, '')}`
  const root = new URL(`${base}/rest/`)
  const url = new URL(`${base}/rest${below}`)
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname))
    throw wrongCommandLine(`${path} leads out of the REST API.`)
  for (const [name, value] of query.map(nameAndValue)) url.searchParams.append(name, value)
  return url.href.slice(base.length)
}

async function bodyOf(
  method: string,
  file: string | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  if (!takesBody && file === undefined) return undefined
  if (!takesBody) throw wrongCommandLine(`${method} has no body.`)
  // A terminal, and a standard input that is closed, have no body.
  const isPiped = process.stdin.isTTY !== true
  const text =
    file !== undefined && file !== '-' ? readTextFile(file) : file === '-' || isPiped ? await readStandardInput() : ''
  if (text.trim() === '') return method === 'DELETE' ? undefined : {}
  try {
    return JSON.parse(text)
  } catch {
    throw wrongCommandLine('The body is not JSON.')
  }
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at < 1) throw wrongCommandLine(`--header ${text} must be such as If-Match: "1".`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** Through a pipe every byte is passed on. At a terminal JSON is laid out, and nothing steers the terminal. */
async function printBody(bytes: Buffer, output: Context['output']) {
  if (!output.isTerminal && !output.isJson) {
    await output.write(bytes)
    if (bytes.length > 0 && bytes.at(-1) !== 10) await output.write('\n')
    return
  }
  const text = bytes.toString('utf8')
  let shown: string
  try {
    shown = jsonText(JSON.parse(text))
  } catch {
    shown = linesOf(text).map(cleanLine).join('\n')
  }
  if (shown !== '') await output.write(`${shown}\n`)
}
