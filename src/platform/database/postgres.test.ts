import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { openPostgres } from './postgres.ts'
import { statement } from './statement.ts'

describe('Statements on PostgreSQL', () => {
  let db: Db
  before(() => {
    db = openPostgres(`${process.env.LACEWING_TEST_POSTGRES}/postgres`)
  })
  after(() => db.close())

  /** A statement of its own, as often as it is called. */
  const selecting = (number: number) =>
    statement<{ value: number }>()((q, p) => ({
      compile: () => sql<{ answer: number }>`select ${p.value}::int + ${sql.lit(number)} as answer`.compile(q),
    }))

  const failing = statement<{ value: number }>()((q, p) => ({
    compile: () => sql`select 1 / ${p.value}::int`.compile(q),
  }))

  const kept = async (on: Db) => {
    const rows = await on.query((q) => ({
      compile: () => sql<{ name: string }>`select name from pg_prepared_statements`.compile(q),
    }))
    return rows.map(({ name }) => name)
  }

  it('are closed when many others are used, and their names are used again', async () => {
    await db.transaction(async (tx) => {
      const names = new Set<string>()
      for (let number = 1; number <= 1500; number++) {
        assert.deepEqual(await tx.first(selecting(number), { value: 1 }), { answer: number + 1 })
        if (number % 100 === 0) for (const name of await kept(tx)) names.add(name)
      }
      assert.ok((await kept(tx)).length <= 256)
      assert.ok(names.size <= 260, `${names.size} names`)
    })
  })

  it('stay right when transactions fail in between', async () => {
    for (let round = 0; round < 5; round++) {
      for (let number = 1; number <= 200; number++)
        assert.deepEqual(await db.first(selecting(number), { value: round }), { answer: number + round })
      const failed = db.transaction(async (tx) => {
        for (let number = 1; number <= 150; number++) await tx.first(selecting(number), { value: 0 })
        await tx.all(failing, { value: 0 }).catch(() => {})
        // The transaction has failed, so none of these runs; each of them takes a name all the same.
        for (let number = 300; number <= 600; number++) await tx.first(selecting(number), { value: 0 }).catch(() => {})
        await tx.all(failing, { value: 0 })
      })
      await assert.rejects(failed)
      for (let number = 300; number <= 600; number += 50)
        assert.deepEqual(await db.first(selecting(number), { value: round }), { answer: number + round })
    }
  })
})
