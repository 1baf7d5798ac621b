import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'
import type { Environment } from '../environment.ts'

export interface OpenOptions {
  readonly print?: boolean
}

/** Opens pages in the browser. Without a terminal it prints their addresses. */
export async function runOpen(
  refs: readonly string[],
  options: OpenOptions,
  { environment, output, connect }: Context,
) {
  const connection = connect()
  const addresses = await Promise.all(refs.map((ref) => connection.pageOf(ref)))
  if (refs.length === 0) addresses.push(`${connection.server.url}/`)
  if (options.print || output.isJson || !output.isTerminal) return output.print({ addresses }, addresses)
  for (const address of addresses) {
    if (await isOpened(environment, address)) output.note(`Opened ${address}`)
    else await output.lines([address])
  }
}

const BROWSERS = ['xdg-open', 'open', 'wslview']

/** The address is an argument, and no shell reads it. */
async function isOpened({ browser, forPrograms }: Environment, address: string): Promise<boolean> {
  const programs = browser === undefined ? BROWSERS : browser.split(':').filter((it) => it !== '')
  for (const program of programs) {
    const [name = '', ...words] = program.trim().split(/\s+/)
    const hasPlace = words.some((word) => word.includes('%s'))
    const args = hasPlace ? words.map((word) => word.replaceAll('%s', address)) : [...words, address]
    if (await isStarted(name, args, forPrograms)) return true
  }
  return false
}

/** A browser that still runs after so long has opened the page; where there is no screen, it fails sooner. */
const SURE_AFTER_MILLISECONDS = 2000

function isStarted(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env })
    const timer = setTimeout(() => {
      child.unref()
      resolve(true)
    }, SURE_AFTER_MILLISECONDS)
    const end = (isDone: boolean) => {
      clearTimeout(timer)
      resolve(isDone)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
  })
}
