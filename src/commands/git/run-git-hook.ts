import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { NOT_DONE } from '../exit-codes.ts'
import type { CommandOutput } from '../output.ts'
import type { CodeOptions, MessageOptions } from './code-options.ts'
import { commitsIn, git, secretIn, targetOf } from './git-repository.ts'
import { sendCommits } from './send-commits.ts'

const NO_COMMIT = /^0+$/
/** Of a branch that is new, or was replaced. */
const MOST_OF_NEW_BRANCH = 200
const MOST_IN_PUSH = 2000

/** Reports the commits that a push has added to the branch. git has taken the push already, so nothing is refused. */
export async function runPostReceive(options: CodeOptions, output: CommandOutput) {
  const lines = (await text(process.stdin)).split('\n')
  const target = await targetOf('.', options).catch(() => 'this folder is not a git repository')
  if (typeof target === 'string') return say(`nothing is reported: ${target}`)
  const pushed = lines
    .map((line) => line.split(' '))
    .find(([, to = '', ref]) => ref === `refs/heads/${target.branch}` && to !== '' && !NO_COMMIT.test(to))
  if (pushed === undefined) return
  const [from = '', to = ''] = pushed
  const isNew = NO_COMMIT.test(from)
  const [revision, most] = isNew ? [to, MOST_OF_NEW_BRANCH] : [`${from}..${to}`, MOST_IN_PUSH]
  let count = 0
  try {
    for await (const commits of commitsIn('.', revision, most)) {
      const fault = await sendCommits(target, commits, false)
      if (fault !== undefined) return say(`not all commits are reported: ${fault}`)
      count += commits.length
    }
  } catch {
    return say('the pushed commits cannot be read')
  }
  output.print({ commits: count }, `${count} commits were reported to ${target.url}.`)
}

/** Merges, reverts and commits that are squashed later. */
const NEEDS_NO_BUG = /^(Merge |Revert "|fixup! |squash! |amend! )/

export async function runCommitMessage(
  file: string,
  { server, keyFile, words }: MessageOptions,
  output: CommandOutput,
) {
  const message = messageIn(file)
  if (message === undefined) return refuse(output, `${file} cannot be read`)
  if (NEEDS_NO_BUG.test(message)) return
  const named = words.split(',').flatMap((word) => (/^\p{L}+$/u.test(word.trim()) ? word.trim() : []))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${named.join('|')})[ \\t]?:?[ \\t]?#?(\\d{1,10})(?!\\w)`, 'giu')
  const ids = named.length === 0 ? [] : [...message.slice(0, 20_000).matchAll(pattern)].map(([, id = '']) => id)
  if (ids.length === 0)
    return refuse(output, 'the message names no bug: write its number, such as “Bug 123 - what is changed”')
  const address = server ?? (await git('.', 'config', '--get', 'lacewing.server').catch(() => ''))
  if (address === '') return
  const keyPath = keyFile ?? (await git('.', 'config', '--get', 'lacewing.keyfile').catch(() => ''))
  const key = keyPath === '' ? '' : secretIn(keyPath)
  for (const id of new Set(ids.slice(0, 20)))
    if (await isMissing(address, key, id)) return refuse(output, `the tracker has no bug ${id}`)
}

/** `git commit --verbose` shows the changes below this line, which are not a part of the message. */
const SCISSORS = /^# -+ >8 -+$[\s\S]*/m

/** The lines that git would keep. */
function messageIn(file: string) {
  try {
    return readFileSync(file, 'utf8')
      .replace(SCISSORS, '')
      .replace(/^#.*\n?/gm, '')
      .trimStart()
  } catch {
    return undefined
  }
}

/** Only a bug of which the tracker says that it does not exist: one that the caller may not see does exist. */
async function isMissing(server: string, key: string, id: string): Promise<boolean> {
  const headers: Record<string, string> = key === '' ? {} : { 'X-BUGZILLA-API-KEY': key }
  try {
    const response = await fetch(`${server.replace(/\/$/, '')}/rest/bug/${id}?include_fields=id`, {
      headers: { Accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const { code } = (await response.json()) as { code?: unknown }
    return code === 100 || code === 101
  } catch {
    say('the tracker cannot be reached, so the number of the bug is not checked')
    return false
  }
}

function say(sentence: string) {
  process.stderr.write(`lacewing: ${sentence}\n`)
}

function refuse(output: CommandOutput, sentence: string) {
  output.fail(sentence)
  process.exitCode = NOT_DONE
}
