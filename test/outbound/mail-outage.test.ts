import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Installation } from '../../src/access/installation.ts'
import { watchMaildir } from '../../src/outbound/incoming/watch-maildir.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Connection } from '../../src/platform/database/sqlite/sqlite-connection.ts'
import type { Facts } from '../../src/platform/monitoring/log.ts'
import { cast } from '../support/cast.ts'
import { describeDeliveryOnOneEngine, World } from '../support/world.ts'

const INSTALLATION = 'bugs@tracker.test'
const NEW_BUG = ['@product = TestProduct', '@component = TestComponent', '', 'It broke.']
const WITH_FILE = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  ...NEW_BUG,
  '--x',
  'Content-Type: text/plain; name="a.txt"',
  'Content-Disposition: attachment; filename="a.txt"',
  '',
  'The file.',
  '--x--',
]

/** Takes mail from a folder of its own, with no pause between attempts, of which two may fail. */
async function taking(world: World, lines: readonly string[]) {
  await world.ada.put('/rest/parameters', { incoming_address: INSTALLATION })
  const { body } = await world.edna.get(`/rest/user/${cast.edna.login}/mail_address`)
  const folder = join(mkdtempSync(join(tmpdir(), 'lacewing-maildir-')), 'Maildir')
  mkdirSync(join(folder, 'new'), { recursive: true })
  const message = [`To: ${body.address}`, 'Subject: By mail', 'Message-ID: <1@elsewhere.test>', ...lines]
  const logged: ({ event: string } & Facts)[] = []
  const log = {
    info: () => {},
    error: (event: string, facts: Facts = {}) => void logged.push({ event, ...facts }),
    flush: async () => {},
  }
  const config = readConfig({ LACEWING_MAILDIR: folder, LACEWING_DATA: world.dataFolder })
  const installation = new Installation(world.db)
  return {
    logged,
    start() {
      writeFileSync(join(folder, 'new', '1'), message.join('\r\n'))
      return watchMaildir({ db: world.db, config, log, installation, baseUrl: () => world.url }, [0, 0])
    },
    isIn: (name: string) => existsSync(join(folder, name)) && readdirSync(join(folder, name)).length > 0,
    async until(isSo: () => boolean) {
      for (let waited = 0; !isSo(); waited += 50) {
        assert.ok(waited < 30_000, `It takes too long: ${JSON.stringify(logged)}`)
        // Something that changes in the folder starts the next round.
        writeFileSync(join(folder, 'new', '.changed'), String(waited))
        await sleep(50)
      }
    },
    remove: () => rmSync(join(folder, '..'), { recursive: true }),
  }
}

describeDeliveryOnOneEngine('Incoming mail with files that cannot be stored', (world) => {
  it('waits until they can be, however often it fails', async () => {
    const mail = await taking(world, WITH_FILE)
    const attachments = join(world.dataFolder, 'attachments')
    writeFileSync(attachments, 'in the way')
    const watching = mail.start()
    await mail.until(() => mail.logged.length >= 5)
    assert.equal(mail.isIn('failed'), false)
    assert.deepEqual(
      mail.logged.map(({ event, isSetAside }) => [event, isSetAside]).slice(0, 5),
      Array(5).fill(['mail failed', false]),
    )
    assert.match(String(mail.logged[0]?.why), /EEXIST|ENOTDIR/)
    renameSync(attachments, `${attachments}.away`)
    await mail.until(() => mail.isIn('cur'))
    await watching.end()
    assert.equal(mail.isIn('failed'), false)
    mail.remove()
  })
})

describe('Incoming mail while a file of SQLite cannot be written', () => {
  const world = new World('sqlite')
  before(() => world.open())
  after(() => world.close())

  it('waits until it can be, however often it fails', async () => {
    const mail = await taking(world, ['', ...NEW_BUG])
    const { writer } = world.db as unknown as { writer: { connection: Connection } }
    writer.connection.connection.exec('pragma query_only = on')
    const watching = mail.start()
    await mail.until(() => mail.logged.length >= 4)
    assert.equal(mail.isIn('failed'), false)
    assert.ok(
      mail.logged.every(({ event, why }) => event === 'reading incoming mail failed' && /readonly/.test(String(why))),
    )
    writer.connection.connection.exec('pragma query_only = off')
    await mail.until(() => mail.isIn('cur'))
    await watching.end()
    mail.remove()
  })
})
