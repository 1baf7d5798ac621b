import assert from 'node:assert/strict'
import type { Client } from './world.ts'

/** Files a bug through the REST API, with default values for what the test does not set. Returns its number. */
export async function fileBug(who: Client, more: Record<string, unknown> = {}): Promise<number> {
  const { status, body, text } = await who.post('/rest/bug', newBug(more))
  assert.equal(status, 200, text)
  return body.id
}

/** The required fields of a new bug. */
export function newBug(more: Record<string, unknown> = {}) {
  return { product: 'TestProduct', component: 'TestComponent', summary: 'Something is wrong', ...more }
}

/** A field of a bug whose name the test knows only when it runs. */
export async function readField(who: Client, id: number | string, field: string): Promise<unknown> {
  return new Map<string, unknown>(Object.entries(await readBug(who, id))).get(field)
}

/** The bug as this user sees it, with all default fields. */
export async function readBug(who: Client, id: number | string, query = '') {
  const { status, body, text } = await who.get(`/rest/bug/${id}${query}`)
  assert.equal(status, 200, text)
  return body.bugs[0]
}
