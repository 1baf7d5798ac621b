import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { logTo } from './log.ts'

it('the log masks credentials in the text of an error', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  const fd = openSync(file, 'w')
  const log = logTo(fd)
  const secret = 'Zk3Qw9XtR7bLmN2pVs8Y'
  log.error('internal failure', { id: 7, stack: `Error: cannot read 1&api_key=${secret}\n    at somewhere` })
  log.info('mail refused', { why: `There is no bug ${secret}`, file: 'message' })
  await log.flush()
  closeSync(fd)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.ok(!lines.join().includes(secret))
  const [first, second] = lines.map((line) => JSON.parse(line))
  assert.equal(first.stack, 'Error: cannot read 1&api_key=…\n    at somewhere')
  assert.deepEqual([second.why, second.file], ['There is no bug …', 'message'])
})

it('the log writes every line whole, however long and in whatever characters', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  const fd = openSync(file, 'w')
  const log = logTo(fd)
  const names = ['', 'ä'.repeat(70_000), ...Array.from({ length: 3000 }, (_, number) => `${number} 漢😀`)]
  for (const name of names) log.info('said', { name })
  await log.flush()
  log.info('said', { name: 'later' })
  await log.flush()
  closeSync(fd)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).name),
    [...names, 'later'],
  )
})
