import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConfig, WrongSetting } from './config.ts'

const faultIn = (settings: Record<string, string>) => {
  try {
    readConfig(settings)
  } catch (fault) {
    assert.ok(fault instanceof WrongSetting)
    return fault.message
  }
  return undefined
}

describe('the settings', () => {
  it('have defaults', () => {
    const { host, port, databaseUrl, baseUrl, processes, admin } = readConfig({})
    assert.deepEqual([host, port, baseUrl, processes], ['127.0.0.1', 8080, undefined, 1])
    assert.match(databaseUrl, /\/data\/lacewing\.db$/)
    assert.deepEqual(admin, { login: undefined, password: undefined, apiKey: undefined })
  })

  it('have their defaults when they are empty', () => {
    const empty = Object.fromEntries(
      ['PORT', 'HOST', 'DATA', 'PROCESSES', 'ADMIN_LOGIN'].map((name) => [`LACEWING_${name}`, ' ']),
    )
    assert.deepEqual(readConfig(empty), readConfig({}))
  })

  it('cannot be changed afterwards', () => assert.ok(Object.isFrozen(readConfig({}))))

  it('may name the database as a path, as SQLite or as PostgreSQL', () => {
    const databaseOf = (url: string) => readConfig({ LACEWING_DATABASE_URL: url }).databaseUrl
    assert.equal(databaseOf('/srv/bugs.db'), '/srv/bugs.db')
    assert.equal(databaseOf('sqlite:///srv/bugs.db'), '/srv/bugs.db')
    assert.equal(databaseOf('sqlite:bugs.db'), resolve('bugs.db'))
    assert.equal(databaseOf('postgres://me@db/bugs'), 'postgres://me@db/bugs')
    assert.equal(databaseOf('postgresql://me@db/bugs'), 'postgresql://me@db/bugs')
  })

  it('have an address without a slash at its end', () => {
    assert.equal(
      readConfig({ LACEWING_BASE_URL: 'https://bugs.example.org/x//' }).baseUrl,
      'https://bugs.example.org/x',
    )
  })

  const wrong: [name: string, value: string, right: RegExp][] = [
    ['PORT', 'eighty', /^LACEWING_PORT is "eighty", but must be a number from 0 to 65535\.$/],
    ['PORT', '70000', /is "70000"/],
    ['PORT', '-1', /is "-1"/],
    ['PORT', '8e1', /is "8e1"/],
    ['PROCESSES', '0', /^LACEWING_PROCESSES is "0", but must be a number from 1 to 64\.$/],
    [
      'BASE_URL',
      'bugs.example.org',
      /^LACEWING_BASE_URL is "bugs\.example\.org", but must be an address that begins with http/,
    ],
    ['BASE_URL', 'ftp://bugs.example.org', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://bugs.example.org/rest', /without \/rest/],
    ['BASE_URL', 'https://bugs.example.org/rest/', /without \/rest/],
    ['BASE_URL', 'https://bugs.example.org/tracker/rest', /without \/rest/],
    ['BASE_URL', 'https://bugs.example.org/?product=x', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://bugs.example.org/?', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://bugs.example.org/#top', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://bugs.example.org/two words', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://bugs.example.org//tracker', /LACEWING_BASE_URL/],
    ['BASE_URL', 'https://me:secret@bugs.example.org', /LACEWING_BASE_URL/],
    ['DATABASE_URL', 'mysql://root:s3cret@localhost/x', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_URL', 'postgres://root:s3cret@[nonsense/x', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_URL', ':memory:', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_URL', 'sqlite::memory:', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_URL', 'sqlite:', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_URL', 'file:bugs.db', /^LACEWING_DATABASE_URL must be postgres:/],
    ['DATABASE_POOLER_URL', '/var/s3cret.db', /^LACEWING_DATABASE_POOLER_URL must be postgres:/],
    ['DATABASE_POOLER_URL', 'postgres://s3cret@db/x', /POOLER_URL is set, but LACEWING_DATABASE_URL is not/],
    ['DATABASE_REPLICA_URLS', 'postgres://s3cret@one/x two', /^LACEWING_DATABASE_REPLICA_URLS must be postgres:/],
    ['DATABASE_REPLICA_URLS', 'postgres://s3cret@one/x', /REPLICA_URLS is set, but LACEWING_DATABASE_URL is not/],
    ['MAIL_DIR', '/var/mail', /^LACEWING_MAIL_DIR: there is no such setting; the settings are .*LACEWING_MAILDIR/],
    ['ADMIN_PASWORD', 's3cret', /^LACEWING_ADMIN_PASWORD: there is no such setting/],
    ['SMTP_URL', 'mail://me:s3cret@example.org', /^LACEWING_SMTP_URL must be smtp:/],
    ['ADMIN_API_KEY', 's3cret', /^LACEWING_ADMIN_API_KEY must be 8 to 200 characters without spaces\.$/],
    ['ADMIN_API_KEY', 's3cret with spaces', /LACEWING_ADMIN_API_KEY/],
  ]
  for (const [name, value, right] of wrong)
    it(`refuse ${value} for ${name}, without secrets in the message`, () => {
      const message = faultIn({ [`LACEWING_${name}`]: value }) ?? ''
      assert.match(message, right)
      assert.doesNotMatch(message, /s3cret/)
    })

  it('that are wrong are reported all at once', () => {
    assert.match(
      faultIn({ LACEWING_PORT: 'x', LACEWING_PROCESSES: 'y', LACEWING_PROT: '1', LACEWING_HOTS: 'z' }) ?? '',
      /LACEWING_PORT .*; LACEWING_PROCESSES .*; LACEWING_PROT and LACEWING_HOTS: there is no such setting.*\.$/,
    )
  })

  it('ignore variables of other programs, and of our tests', () => {
    assert.equal(faultIn({ PATH: '/bin', LACEWINGS: 'x', [`LACEWING_${'TEST_FOLDER'}`]: '/tmp' }), undefined)
  })

  describe('in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lacewing-settings-'))
    after(() => rmSync(folder, { recursive: true }))
    const fileWith = (text: string, name = 'value') => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }

    it('are read without the end of the line, every one of them', () => {
      const file = fileWith('postgres://me:geheim@db/bugs\n')
      assert.equal(readConfig({ LACEWING_DATABASE_URL_FILE: file }).databaseUrl, 'postgres://me:geheim@db/bugs')
      for (const end of ['', '\n', '\r\n']) {
        const LACEWING_ADMIN_PASSWORD_FILE = fileWith(` spaces are kept ${end}`)
        assert.equal(readConfig({ LACEWING_ADMIN_PASSWORD_FILE }).admin.password, ' spaces are kept ')
      }
      assert.equal(readConfig({ LACEWING_PORT_FILE: fileWith('81\n') }).port, 81)
      assert.equal(readConfig({ LACEWING_PORT_FILE: '', LACEWING_PORT: '82' }).port, 82)
    })

    it('are refused if they are also given as a value, or the file cannot be read, without showing the value', () => {
      const file = fileWith('smtp://me:geheim@mail')
      const both = { LACEWING_SMTP_URL: 'smtp://other:word@mail', LACEWING_SMTP_URL_FILE: file }
      assert.equal(faultIn(both), 'LACEWING_SMTP_URL and LACEWING_SMTP_URL_FILE are both set: remove one of them.')
      const missing = join(folder, 'missing')
      assert.equal(
        faultIn({ LACEWING_ADMIN_API_KEY_FILE: missing }),
        `LACEWING_ADMIN_API_KEY_FILE is ${JSON.stringify(missing)}, which does not exist.`,
      )
      assert.match(faultIn({ LACEWING_SMTP_URL_FILE: folder }) ?? '', /, which is not a file\.$/)
      assert.match(faultIn({ LACEWING_SMTP_URL_FILE: '/dev/zero' }) ?? '', /, which is not a file\.$/)
      const large = fileWith('x'.repeat(70_000), 'large')
      assert.match(faultIn({ LACEWING_SMTP_URL_FILE: large }) ?? '', /, which is larger than 64 KiB\.$/)
      const wrong = faultIn({ LACEWING_SMTP_URL_FILE: fileWith('geheim') })
      assert.equal(wrong, 'LACEWING_SMTP_URL must be smtp://… or smtps://….')
      assert.match(faultIn({ LACEWING_NO_SUCH_FILE: file }) ?? '', /^LACEWING_NO_SUCH_FILE: there is no such setting/)
      assert.match(
        faultIn({ LACEWING_PORT_FILE_FILE: file }) ?? '',
        /^LACEWING_PORT_FILE_FILE: there is no such setting/,
      )
    })
  })
})
