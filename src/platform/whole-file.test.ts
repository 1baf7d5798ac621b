import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { requireWritableFile, writeNewFile, writeWholeFile } from './whole-file.ts'

describe('a file that is written whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whole-file-'))
  after(() => rmSync(folder, { recursive: true }))
  const write = (file: string, text: string) => writeWholeFile(file, async (output) => void output.write(text))

  it('replaces a file that others can read by one that they cannot', async () => {
    const file = join(folder, 'open')
    writeFileSync(file, 'old', { mode: 0o666 })
    await write(file, 'new')
    assert.equal(readFileSync(file, 'utf8'), 'new')
    assert.equal(lstatSync(file).mode & 0o777, 0o600)
  })

  it('never follows or replaces a symbolic link, also one that leads nowhere', async () => {
    const [file, victim] = [join(folder, 'link'), join(folder, 'victim')]
    symlinkSync(victim, file)
    await assert.rejects(write(file, 'new'), /is not a regular file/)
    assert.throws(() => requireWritableFile(file), /is not a regular file/)
    await assert.rejects(write(folder, 'new'), /is a folder/)
    assert.ok(!existsSync(victim))
    assert.ok(lstatSync(file).isSymbolicLink())
  })

  it('leaves the old file, and nothing else, if it cannot be written to its end', async () => {
    const file = join(folder, 'kept')
    await write(file, 'old')
    const before = readdirSync(folder)
    const broken = writeWholeFile(file, async (output) => {
      output.write('half')
      throw new Error('The disk is full')
    })
    await assert.rejects(broken, /The disk is full/)
    // A pipeline that fails ends the file, too.
    const ended = writeWholeFile(file, async (output) => {
      output.destroy(new Error('The source is gone'))
      throw new Error('The source is gone')
    })
    await assert.rejects(ended, /The source is gone/)
    assert.equal(readFileSync(file, 'utf8'), 'old')
    assert.deepEqual(readdirSync(folder), before)
    await assert.rejects(write(join(folder, 'none', 'file'), 'new'), { code: 'ENOENT' })
  })

  it('leaves a file that another program has made meanwhile, unless it may be replaced', async () => {
    const [file, empty] = [join(folder, 'raced'), join(folder, 'empty')]
    const before = readdirSync(folder)
    const raced = writeNewFile(file, async (output) => {
      writeFileSync(file, 'precious')
      output.write('new')
    })
    await assert.rejects(raced, /raced exists: name another file/)
    assert.equal(readFileSync(file, 'utf8'), 'precious')
    assert.deepEqual(readdirSync(folder), [...before, 'raced'].sort())
    writeFileSync(empty, '')
    await writeNewFile(empty, async (output) => void output.write('new'))
    assert.equal(readFileSync(empty, 'utf8'), 'new')
  })
})
