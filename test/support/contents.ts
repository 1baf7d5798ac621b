import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { World } from './world.ts'

export function digestOf(text: string) {
  return createHash('sha256').update(text).digest('hex')
}

/** Whether the data folder has the content, under the key of its digest or another. */
export function isStored(world: World, text: string, generation = 0): boolean {
  const key = generation === 0 ? digestOf(text) : `${digestOf(text)}.${generation}`
  return existsSync(join(world.dataFolder, 'attachments', key.slice(0, 2), key))
}

/** Waits until every content that was freed is deleted in the store. */
export async function contentsFreed(world: World, milliseconds = 90_000) {
  const ends = Date.now() + milliseconds
  for (;;) {
    const waiting = await world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', 'contents'))
    if (waiting.length === 0) return
    if (Date.now() > ends) throw new Error(`${waiting.length} contents are still to be deleted`)
    await wait(20)
  }
}
