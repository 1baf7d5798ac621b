import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import type { ReadLimits } from './read-limits.ts'
import { SlowReads } from './slow-reads.ts'

describe('a slow read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-slow-'))
  const file = join(folder, 'empty.db')
  new DatabaseSync(file).exec('create table empty (id integer)')
  const reads = new SlowReads(file)
  after(async () => {
    await reads.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends when its time is over, and its thread reads again', async () => {
    const endless = `with recursive numbers (number) as (select 1 union all select number + 1 from numbers)
      select count(*) as count from numbers where number & 63 <> 0 or require_time()`
    const started = performance.now()
    const readings = [
      reads.rows(endless, [], limits(300)),
      reads.rows(endless, [], limits(300)),
      reads.rows('select ? as value', [7], limits(20_000)),
    ]
    const [first, second, third] = await Promise.allSettled(readings)
    assert.equal(first?.status, 'rejected')
    assert.equal(second?.status, 'rejected')
    assert.equal(first.reason.code, 1001)
    assert.ok(third?.status === 'fulfilled')
    assert.equal((third.value[0] as { value: number }).value, 7)
    assert.ok(performance.now() - started < 20_000)
  })
})

function limits(milliseconds: number): ReadLimits {
  return { caller: 'user 1', deadline: performance.now() + milliseconds, signal: new AbortController().signal }
}
