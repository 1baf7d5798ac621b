import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnSqlite } from '../../test/support/world.ts'
import { timeNow } from '../platform/time/clock.ts'
import { runOnce } from './idempotency.ts'
import { OWN_LIMITS } from './own-limits.ts'

describeOnSqlite('responses stored for an Idempotency-Key', (world) => {
  it('take no more than their limit, also of those that another process has stored', async () => {
    const limit = OWN_LIMITS.idempotentCharacters as { most: number }
    const { most } = limit
    limit.most = 40_000
    try {
      const { id: userId } = await world.newUser()
      const ownRows = () =>
        world.db.query((q) => q.selectFrom('idempotent_replies').select('body').where('user_id', '=', userId))
      const ofOthers = Array.from({ length: 50 }, (_, place) => ({
        user_id: userId,
        idempotency_key: `other ${place}`,
        request_digest: '',
        status: 200,
        body: 'x'.repeat(1000),
        at: timeNow(),
      }))
      await world.db.query((q) => q.insertInto('idempotent_replies').values(ofOthers))
      // Each takes 500 characters, so that the second reaches the fortieth part after which the oldest are removed.
      for (let count = 0; count < 60; count++) {
        const request = { userId, key: `own ${count}`, content: count }
        await runOnce(world.db, request, { ahead: async () => {}, run: async () => 'x'.repeat(193) })
        const stored = (await ownRows()).reduce((sum, { body }) => sum + body.length + 200, 0)
        assert.ok(stored <= 40_000 && stored > 35_000, `${stored} characters after ${count + 1} responses`)
      }
    } finally {
      limit.most = most
    }
  })
})
