import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'
import { fileBug } from '../support/file-bug.ts'
import { isEveryCombination } from '../support/sample.ts'
import { describeOnEachEngine } from '../support/world.ts'

const FIELDS = ['summary', 'cc', 'keywords', 'groups', 'depends_on', 'blocks', 'alias', 'flags', 'see_also']
const MORE = ['assigned_to', 'creator', 'dupe_of', 'tags', 'duplicates', 'qa_contact', 'version', 'target_milestone']

/** The nth of all selections of these fields. */
function selection(number: number) {
  return ['id', ...[...FIELDS, ...MORE].filter((_, bit) => number & (1 << bit))]
}

// The cache of a connection is tested in postgres.test.ts and statement-family.test.ts.
if (isEveryCombination)
  describeOnEachEngine('A request for fields that no request selected before', (world) => {
    it('gets the right ones, also when the statements of others were evicted, and the statements that are kept are bounded', async () => {
      const id = await fileBug(world.ada)
      // SQLite’s connections have the same cache, but cannot be asked what they keep.
      const keptOf = world.engine === 'postgres' ? preparedOn : undefined
      let most = 0
      // Other connections get a part of the requests, more of them on a busy machine.
      for (let number = 1; number <= 400 || (keptOf && most <= 100 && number <= 4000); number++) {
        const fields = selection(number % 3 === 0 ? 1 : number * 61)
        const { status, body } = await world.ada.get(`/rest/bug/${id}?include_fields=${fields.join()}`)
        assert.equal(status, 200)
        const always = fields.filter((field) => !['tags', 'dupe_of', 'duplicates', 'qa_contact'].includes(field))
        for (const field of always) assert.ok(field in body.bugs[0], `${field} is missing`)
        if (keptOf && number % 50 === 0) most = Math.max(most, await keptOf(world.db))
      }
      if (keptOf) assert.ok(most > 100 && most <= 256, `${most} statements are prepared`)
    })
  })

async function preparedOn(db: Db) {
  const [row] = await db.query((q) => ({
    compile: () => sql<{ kept: number }>`select count(*) as kept from pg_prepared_statements`.compile(q),
  }))
  return row?.kept ?? 0
}
