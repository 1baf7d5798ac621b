import assert from 'node:assert/strict'
import type { Client } from './world.ts'

/** Changes a bug, which must succeed. Returns the changes. */
export async function changeBug(who: Client, id: number | string, change: object) {
  const { status, body, text } = await who.put(`/rest/bug/${id}`, change)
  assert.equal(status, 200, text)
  return body.bugs[0].changes
}

/** The history of a bug, as `who: field removed → added`, oldest first. */
export async function historyOf(reader: Client, id: number | string): Promise<string[]> {
  const { status, body, text } = await reader.get(`/rest/bug/${id}/history`)
  assert.equal(status, 200, text)
  return body.bugs[0].history.flatMap((entry) =>
    entry.changes.map((it) => `${entry.who.split('@')[0]}: ${it.field_name} ${it.removed} → ${it.added}`),
  )
}
