import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

/** A source of code as its forge knows it. */
interface TestSource {
  name: string
  kind: string
  secret: string
}

export async function newSource(world: World, kind: string, more: Record<string, unknown> = {}): Promise<TestSource> {
  const name = world.unique(kind)
  const wanted = { name, kind, user: 'edna@lacewing.test', ...more }
  const { status, body, text } = await world.ada.post('/rest/admin/code', wanted)
  if (status !== 201) throw new Error(text)
  return { name, kind, secret: body.secret as string }
}

function hexOf(secret: string, text: string) {
  return createHmac('sha256', secret).update(text).digest('hex')
}

/** The headers with which a source proves that it sent this. */
export function headersOf({ kind, secret }: TestSource, event: string, text: string): Record<string, string> {
  switch (kind) {
    case 'github':
      return { 'X-GitHub-Event': event, 'X-Hub-Signature-256': `sha256=${hexOf(secret, text)}` }
    case 'forgejo':
      return { 'X-Forgejo-Event': event, 'X-Forgejo-Signature': hexOf(secret, text) }
    case 'gitlab':
      return { 'X-Gitlab-Event': event, 'X-Gitlab-Token': secret }
    case 'phabricator':
      return { 'X-Phabricator-Webhook-Signature': hexOf(secret, text) }
    case 'git':
      return { 'X-Lacewing-Signature-256': `sha256=${hexOf(secret, text)}` }
    default:
      return { 'X-Lacewing-Token': secret }
  }
}

/** Sends a delivery as the source would. */
export function deliver(world: World, source: TestSource, event: string, payload: object | string, more: object = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const headers = { ...headersOf(source, event, text), ...more }
  return world.nobody.send('POST', `/rest/code/${source.name}` as '/rest/code/x', text, headers)
}

/** Waits until all deliveries of the source are applied, and returns them, newest first. */
export async function settled(world: World, { name }: TestSource) {
  for (let tries = 0; tries < 500; tries++) {
    const { body } = await world.ada.get(`/rest/admin/code/${name}/delivery` as '/rest/admin/code/x/delivery')
    if (body.deliveries.every(({ outcome }) => outcome !== 'waiting')) return body.deliveries
    await sleep(20)
  }
  throw new Error('The deliveries are not applied')
}

let clock = Date.parse('2026-01-01T00:00:00Z')

/** A later moment with every call. */
export function later() {
  clock += 1000
  return new Date(clock).toISOString().replace('.000', '')
}

interface Pull {
  number?: number
  title: string
  body?: string
  state?: string
  merged?: boolean
  draft?: boolean
  sha?: string
  at?: string
}

/** The payload of an event about a pull request, as GitHub and Forgejo send it. */
export function pullRequest(pull: Pull, more: object = {}) {
  const { number = 7, title, body = '', state = 'open', merged = false, draft = false } = pull
  const { sha = 'a1'.repeat(20), at = later() } = pull
  return {
    action: 'edited',
    number,
    pull_request: {
      html_url: `https://github.com/acme/kettle/pull/${number}`,
      ...{ number, title, body, state, merged, draft },
      user: { login: 'octo' },
      labels: [{ name: 'backend' }],
      head: { sha },
      base: { ref: 'main' },
      updated_at: at,
    },
    repository: { full_name: 'acme/kettle', default_branch: 'main' },
    sender: { login: 'octo' },
    ...more,
  }
}

/** The payload of a push, as GitHub and Forgejo send it. */
export function push(message: string, { id = 'b2'.repeat(20), ref = 'refs/heads/main' } = {}) {
  const url = `https://github.com/acme/kettle/commit/${id}`
  return {
    ref,
    repository: { full_name: 'acme/kettle', default_branch: 'main' },
    commits: [{ id, message, url, timestamp: later(), author: { name: 'Olga Octo' } }],
  }
}
