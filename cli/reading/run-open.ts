import { spawn } from 'node:child_process'
import type { Context } from '../context.ts'

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
    if (await isOpened(environment.browser, address)) output.note(`Opened ${address}`)
    else await output.lines([address])
  }
}

const BROWSERS = ['xdg-open', 'open', 'wslview']

/** The address is an argument, and no shell reads it. */
async function isOpened(browser: string | undefined, address: string): Promise<boolean> {
  const programs = browser === undefined ? BROWSERS : browser.split(':').filter((it) => it !== '')
  for (const program of programs) {
    const [name = '', ...words] = program.trim().split(/\s+/)
    const hasPlace = words.some((word) => word.includes('%s'))
    const args = hasPlace ? words.map((word) => word.replaceAll('%s', address)) : [...words, address]
    if (await isStarted(name, args)) return true
  }
  return false
}

function isStarted(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
