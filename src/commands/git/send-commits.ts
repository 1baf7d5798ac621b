import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Commit, CommitTarget } from './git-repository.ts'

const REPEATED = 409
const BUSY: readonly number[] = [429, 503]
const MOST_TRIES = 5
const LIMIT_MILLISECONDS = 30_000

/** Sends commits to a source of code. Returns a sentence if they were not taken. */
export async function sendCommits(
  { url, secret, repository, branch, commitAddress }: CommitTarget,
  commits: readonly Commit[],
  isPast: boolean,
): Promise<string | undefined> {
  const described = commits.map((commit) => ({ ...commit, address: commitAddress.replaceAll('{id}', commit.id) }))
  const body = JSON.stringify({ repository, branch, is_past: isPast, commits: described })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'Content-Type': 'application/json', 'X-Lacewing-Signature-256': `sha256=${signature}` }
  for (let tries = 1; ; tries++) {
    const status = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MILLISECONDS),
    }).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === undefined) return `${url} cannot be reached`
    if ((status >= 200 && status < 300) || status === REPEATED) return undefined
    if (!BUSY.includes(status) || tries === MOST_TRIES) return `${url} answered ${status}`
    await sleep(tries * tries * 1000)
  }
}
