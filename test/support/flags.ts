import assert from 'node:assert/strict'
import { newProduct } from './new-product.ts'
import type { Client, World } from './world.ts'

export async function newType(world: World, more: Record<string, unknown> = {}): Promise<{ id: number; name: string }> {
  const name = (more.name as string) ?? world.unique('flag')
  const { status, body, text } = await world.ada.post('/rest/flag_type', { name, description: 'A flag', ...more })
  assert.equal(status, 201, text)
  return { id: body.id, name }
}

export async function changeType(world: World, id: number, changes: Record<string, unknown>) {
  const { status, text } = await world.ada.put(`/rest/flag_type/${id}`, changes)
  assert.equal(status, 200, text)
}

/** A product with Core and UI, and what is needed to file a bug there. */
export async function newPlace(world: World) {
  const { name } = await newProduct(world, ['Core', 'UI'])
  return { product: name, component: 'Core', summary: 'Something is wrong' }
}

export async function file(client: Client, bug: Record<string, unknown>): Promise<number> {
  const { status, body, text } = await client.post('/rest/bug', bug)
  assert.equal(status, 200, text)
  return body.id
}

export async function newBug(world: World, flags: readonly object[] = [], client = world.edna): Promise<number> {
  return file(client, { ...(await newPlace(world)), flags })
}

export async function flagsOf(world: World, bug: number) {
  const { body, text } = await world.ada.get(`/rest/bug/${bug}?include_fields=flags`)
  assert.ok(body.bugs, text)
  return body.bugs[0].flags
}

/** The flags in the format of history. */
export async function wordsOf(world: World, bug: number): Promise<string[]> {
  return (await flagsOf(world, bug)).map(inWords)
}

export function inWords({ name, status, requestee }: { name: string; status: string; requestee?: string }) {
  return `${name}${status}${requestee ? `(${requestee})` : ''}`
}
