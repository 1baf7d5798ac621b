import assert from 'node:assert/strict'
import type { Static } from '@sinclair/typebox'
import type { Proposed as Schema } from '../../src/bugs/proposals/proposal-schema.ts'
import type { Client, Reply, World } from './world.ts'

/** What a call returns to an API key that may propose and not write. */
type Proposed = Static<typeof Schema>

interface Owner {
  id: number
  client: Client
}

/** An API key of the user with these scopes, as a caller. */
export async function newKey(world: World, owner: Owner, scopes: readonly string[], description = 'The robot') {
  const path = `/rest/user/${owner.id}/api_key` as const
  const { body, status, text } = await owner.client.post(path, { description, scopes })
  assert.equal(status, 201, text)
  return { id: body.id, path: `${path}/${body.id}` as const, client: world.as({ 'X-TRACKER-API-KEY': body.api_key }) }
}

/** A user in these groups, with a key that may read and propose. */
export async function newProposer(world: World, ...groups: string[]) {
  const user = await world.newUser()
  if (groups.length > 0) {
    const { status, text } = await world.ada.put(`/rest/user/${user.id}`, { groups: { add: groups } })
    assert.equal(status, 200, text)
  }
  const key = await newKey(world, user, ['read', 'propose'])
  return { ...user, key, robot: key.client }
}

export type Proposal = Proposed['proposal']

/** The proposals that a response has. */
export function proposedBy({ status, text }: Pick<Reply, 'status' | 'text'>): Proposal[] {
  assert.equal(status, 202, text)
  const { proposal, proposals = [proposal] } = JSON.parse(text) as Proposed
  return proposals
}

/** Proposes a change of a bug, and returns the proposal. */
export async function proposeChange(who: Client, bug: number, changes: object): Promise<Proposal> {
  const [proposal] = proposedBy(await who.put(`/rest/bug/${bug}`, changes))
  return proposal as Proposal
}

/** Proposes with any call that files or adds something. */
export async function proposeNew(who: Client, path: string, content: object): Promise<Proposal> {
  const [proposal] = proposedBy(await who.post(path, content))
  return proposal as Proposal
}

/** Each row with its lines, such as `priority: --- → High`. */
export function rowsOf(proposal: Proposal | undefined): string[][] {
  return (proposal?.rows ?? []).map(({ name, changes }) => [
    name,
    ...changes.map(({ field_name, removed, added }) => `${field_name}: ${removed} → ${added}`),
  ])
}

/** The numbers of the proposals that a list has. */
export async function listed(who: Client, query: string): Promise<number[]> {
  const { status, body, text } = await who.get(`/rest/proposal?${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.proposals.length, text)
  return body.proposals.map(({ id }) => id)
}

export function accept(who: Client, { id, digest }: Pick<Proposal, 'id' | 'digest'>, more: object = {}) {
  return who.post(`/rest/proposal/${id}/accept`, { digest, ...more })
}

/** The same, which must succeed. */
export async function accepted(who: Client, proposal: Pick<Proposal, 'id' | 'digest'>, more: object = {}) {
  const { status, body, text } = await accept(who, proposal, more)
  assert.equal(status, 200, text)
  return body
}

/** As an administrator sees it. */
export async function statusOf(world: World, { id }: Pick<Proposal, 'id'>) {
  const { status, body, text } = await world.ada.get(`/rest/proposal/${id}`)
  assert.equal(status, 200, text)
  return body.proposal.status
}
