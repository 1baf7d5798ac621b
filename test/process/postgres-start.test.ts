import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { messageFor } from '../../src/fault-sentences.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { refusalOfServer } from '../../src/platform/database/postgres/postgres-requirements.ts'
import { prepare } from '../../src/prepare.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { itInSoak } from '../support/sample.ts'
import { newDataFolder, ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'lacewing-tls-'))
const fileAt = (name: string) => join(folder, name)
const textOf = (name: string) => readFileSync(fileAt(name), 'utf8')

/** A certificate of our own authority: for the host `localhost`, and for the user `ada`. */
function makeCertificates() {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=Test authority')
  for (const [name, host] of [
    ['server', 'localhost'],
    ['ada', 'ada'],
  ] as const) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${host}`)
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      '-days',
      '2',
      '-out',
      `${name}.crt`,
    )
  }
}

const HBA = `
local   all   all                     trust
host    all   postgres  127.0.0.1/32  trust
hostssl tls   all       127.0.0.1/32  scram-sha-256
hostssl certs all       127.0.0.1/32  cert
host    plain all       127.0.0.1/32  scram-sha-256
host    ascii all       127.0.0.1/32  scram-sha-256
host    latin all       127.0.0.1/32  scram-sha-256
host    gone  all       127.0.0.1/32  scram-sha-256
`

describe('A server that starts on PostgreSQL', () => {
  let postgres: Postgres
  let port = ''

  before(async () => {
    makeCertificates()
    const files = {
      'server.crt': textOf('server.crt'),
      'server.key': textOf('server.key'),
      'ca.crt': textOf('ca.crt'),
      'pg_hba.conf': HBA,
    }
    postgres = await startPostgres(undefined, {
      files,
      settings: { ssl: 'on', ssl_ca_file: 'ca.crt' },
    })
    port = new URL(postgres.url).port
    const client = new pg.Client(`${postgres.url}/postgres`)
    await client.connect()
    for (const statement of [
      `create role ada login password 'p#a/s?s%1'`,
      `create role reader login password 'reader'`,
      `create role crowd login password 'crowd' connection limit 0`,
      `create database plain owner ada`,
      `create database tls owner ada`,
      `create database certs owner ada`,
      `create database ascii owner ada encoding 'SQL_ASCII' template template0`,
      `create database latin owner ada encoding 'LATIN1' template template0 locale 'C'`,
    ])
      await client.query(statement)
    await client.end()
  })
  after(async () => {
    await stopAll()
    await postgres.stop()
    rmSync(folder, { recursive: true })
  })

  const ADA = `ada:${encodeURIComponent('p#a/s?s%1')}`
  const addressOf = (user: string, database: string, query = '', host = '127.0.0.1') =>
    `postgres://${user}@${host}:${port}/${database}${query}`
  const settingsFor = (address: string) => ({ LACEWING_DATA: newDataFolder(), LACEWING_DATABASE_URL: address })

  /** What a server with this address ends with. */
  async function refusalOf(address: string): Promise<string> {
    try {
      const { db } = await prepare(readConfig(settingsFor(address)))
      await db.close()
    } catch (fault) {
      const message = messageFor(fault as Error, address)
      assert.match(message, /^[A-Z][^\n]*\.$/, 'it is one sentence on one line')
      assert.doesNotMatch(message, /p#a|p%23a|secret/)
      return message
    }
    return 'It would start.'
  }

  const REFUSED: [title: string, address: () => string, sentence: RegExp][] = [
    [
      'a wrong password',
      () => addressOf('ada:secret', 'plain'),
      /refuses the password of the user ada: .*percent-encoded/,
    ],
    ['no password', () => addressOf('ada', 'plain'), /wants a password for the user ada/],
    ['an unknown user', () => addressOf('eve:secret', 'plain'), /refuses the password of the user eve/],
    [
      'a missing database',
      () => addressOf(ADA, 'gone'),
      /does not exist: create it with createdb --owner=ada --encoding=UTF8/,
    ],
    [
      'no right to create tables',
      () => addressOf('reader:reader', 'plain'),
      /user reader may not create .* make it the owner/,
    ],
    [
      'no connection left',
      () => addressOf('crowd:crowd', 'plain'),
      /no connection left \(too many connections.*max_connections/,
    ],
    ['a server that wants TLS', () => addressOf(ADA, 'tls'), /refuses connections without TLS .*\?sslmode=verify-full/],
    ['the encoding SQL_ASCII', () => addressOf(ADA, 'ascii'), /has the encoding SQL_ASCII, and Lacewing needs UTF8/],
    ['the encoding LATIN1', () => addressOf(ADA, 'latin'), /has the encoding LATIN1, and Lacewing needs UTF8/],
    [
      'an unknown authority',
      () => addressOf(ADA, 'tls', '?sslmode=require', 'localhost'),
      /not of a known authority .*sslrootcert/,
    ],
    [
      'a certificate for another host',
      () => addressOf(ADA, 'tls', `?sslmode=verify-full&sslrootcert=${fileAt('ca.crt')}`),
      /certificate is for another host .*verify-ca/,
    ],
    [
      'no certificate of the client',
      () => addressOf('ada', 'certs', '?sslmode=no-verify'),
      /wants a certificate .*sslcert and sslkey/,
    ],
    ['a missing file', () => addressOf(ADA, 'tls', '?sslrootcert=/no/such/ca.crt'), /\/no\/such\/ca\.crt/],
    [
      'an unknown mode',
      () => addressOf(ADA, 'tls', '?sslmode=prefer'),
      /sslmode=prefer, which is not one of disable, no-verify/,
    ],
    [
      'verify-ca without an authority',
      () => addressOf(ADA, 'tls', '?sslmode=verify-ca'),
      /verify-ca without sslrootcert/,
    ],
    [
      'half a certificate',
      () => addressOf(ADA, 'tls', `?sslcert=${fileAt('ada.crt')}`),
      /sslcert or sslkey without the other/,
    ],
    [
      'a server without TLS',
      () => `${process.env.LACEWING_TEST_POSTGRES}/postgres?sslmode=require`,
      /has no TLS.*sslmode=disable/,
    ],
    ['an unknown host', () => 'postgres://ada:secret@no-such-host.invalid/x', /host name is unknown/],
    ['nothing at the port', () => 'postgres://ada:secret@127.0.0.1:1/x', /nothing listens there/],
  ]
  for (const [title, address, sentence] of REFUSED)
    it(`ends with one sentence because of ${title}`, async () => assert.match(await refusalOf(address()), sentence))

  it('refuses a release of PostgreSQL that is older than the oldest supported one', () => {
    const facts = { server_encoding: 'UTF8', server_version_num: '140022' }
    assert.equal(
      refusalOfServer(facts),
      'is on PostgreSQL 14, and Lacewing needs 15 or newer: upgrade PostgreSQL first',
    )
    for (const server_version_num of ['150000', '180004'])
      assert.equal(refusalOfServer({ ...facts, server_version_num }), undefined)
  })

  it('refuses an address whose password is not percent-encoded, without showing it', () => {
    for (const password of ['p#secret', '12/secret', '12?secret', 'p%secret'])
      assert.throws(
        () => readConfig(settingsFor(`postgres://ada:${password}@127.0.0.1:5432/x`)),
        ({ message }: Error) =>
          /^LACEWING_DATABASE_URL must be .*percent-encoded/.test(message) && !message.includes('secret'),
        password,
      )
  })

  itInSoak('connects with each mode of TLS, and with a certificate of its own', async () => {
    const ca = `sslrootcert=${fileAt('ca.crt')}`
    for (const address of [
      addressOf(ADA, 'tls', '?sslmode=no-verify'),
      addressOf(ADA, 'tls', `?sslmode=verify-ca&${ca}`),
      addressOf(ADA, 'tls', `?sslmode=verify-full&${ca}`, 'localhost'),
      addressOf(ADA, 'tls', `?sslmode=require&${ca}`, 'localhost'),
      addressOf(ADA, 'plain', '?sslmode=disable'),
      addressOf('ada', 'certs', `?sslmode=verify-ca&${ca}&sslcert=${fileAt('ada.crt')}&sslkey=${fileAt('ada.key')}`),
    ])
      assert.equal(await refusalOf(address), 'It would start.', address)
  })

  it('waits for a database that starts later, and says so in one line', async () => {
    await postgres.halt()
    const server = new ServerProcess(settingsFor(addressOf(ADA, 'plain')))
    await until(() => server.stderr.includes('\n'))
    assert.match(
      server.stderr,
      /^The database postgres:\/\/127\.0\.0\.1:\d+\/plain does not respond \(.*ECONNREFUSED.*\)\. The server waits for it, for up to 60 seconds\.\n$/,
    )
    const impatient = new ServerProcess({ ...settingsFor(addressOf(ADA, 'plain')), LACEWING_DATABASE_WAIT: '0' })
    assert.equal(await impatient.ended, 1)
    assert.match(impatient.stderr, /^The database \S+ cannot be used: nothing listens there .*\n$/)
    await postgres.resume()
    assert.equal((await fetch(`${(await server.listening()).url}/ready`)).status, 200)
    assert.equal(await server.stop(), 0)
  })
})
