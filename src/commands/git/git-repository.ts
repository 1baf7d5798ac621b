import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { CodeOptions } from './code-options.ts'

const run = promisify(execFile)

/** Runs git in this folder. Its output is short. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...args], { maxBuffer: 1024 * 1024 })
  return stdout.trim()
}

/** A source of code that commits are sent to, and how they are described. */
export interface CommitTarget {
  url: string
  secret: string
  repository: string
  branch: string
  commitAddress: string
}

/** From options, then from the settings of the repository. Returns a sentence if something is missing. */
export async function targetOf(folder: string, options: CodeOptions): Promise<CommitTarget | string> {
  const setting = (name: string) => git(folder, 'config', '--get', `lacewing.${name}`).catch(() => '')
  const url = options.url ?? (await setting('url'))
  if (!/^https?:\/\/\S+\/rest\/code\/[^/\s]+$/.test(url))
    return 'the address of the source is missing or does not end with /rest/code/ and its name: give --url'
  const file = options.secretFile ?? (await setting('secretfile'))
  const secret = file === '' ? '' : secretIn(resolve(folder, file))
  if (secret === '') return 'the secret of the source is missing: give --secret-file'
  const top = await git(folder, 'rev-parse', '--absolute-git-dir')
  const name = basename(top.replace(/\/\.git$/, '')).replace(/\.git$/, '')
  return {
    url,
    secret,
    repository: options.repository ?? ((await setting('repository')) || name),
    branch: options.branch ?? ((await setting('branch')) || (await git(folder, 'symbolic-ref', '--short', 'HEAD'))),
    commitAddress: options.commitAddress ?? (await setting('commitaddress')),
  }
}

/** The text of a file that only its owner should read; empty if it cannot be read. */
export function secretIn(file: string) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

export interface Commit {
  id: string
  author: string
  at: string
  message: string
}

/** The name, the author, the time and the message: a message can contain every character but this one, which git does not store. */
const FIELD_END = '\0'
const FIELDS = ['%H', '%an', '%cI', '%B']
const LONGEST_MESSAGE = 4000
/** As many as one delivery may have. */
const MOST_TOGETHER = 200

/** What settings of the user or the repository could add to the log is left out. */
const PLAIN_LOG = ['log', '--reverse', '-z', '--encoding=UTF-8', '--no-color', '--no-show-signature', '--no-notes']

/** The commits of a range from the oldest on, some at a time, so that a long history needs no memory. */
export async function* commitsIn(folder: string, revision: string, most?: number): AsyncGenerator<Commit[]> {
  const limit = most === undefined ? [] : [`--max-count=${most}`]
  const format = `--format=${FIELDS.join('%x00')}`
  const args = ['-C', folder, ...PLAIN_LOG, format, ...limit, '--end-of-options', revision, '--']
  const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.setEncoding('utf8')
  const ended = new Promise<number>((end) => child.on('close', (code) => end(code ?? 1)))
  let rest: string[] = ['']
  let commits: Commit[] = []
  for await (const chunk of child.stdout) {
    const [first = '', ...more] = String(chunk).split(FIELD_END)
    rest = [...rest.slice(0, -1), (rest.at(-1) ?? '') + first, ...more]
    while (rest.length > FIELDS.length) commits.push(commitOf(rest.splice(0, FIELDS.length)))
    while (commits.length >= MOST_TOGETHER) {
      yield commits.slice(0, MOST_TOGETHER)
      commits = commits.slice(MOST_TOGETHER)
    }
  }
  if ((await ended) !== 0) throw new Error('git log failed')
  if (rest.length === FIELDS.length) commits.push(commitOf(rest))
  if (commits.length > 0) yield commits
}

function commitOf([id = '', author = '', at = '', message = '']: readonly string[]): Commit {
  return { id, author, at, message: message.slice(0, LONGEST_MESSAGE) }
}
