import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cast } from '../support/cast.ts'
import { findProgram } from '../support/debian-program.ts'
import { fencedIn } from '../support/doc-examples.ts'
import { freePort } from '../support/free-port.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const KEY = cast.ada.apiKey
const NGINX = { name: 'nginx', package: 'nginx', versionOption: '-v' }
const OPENSSL = { name: 'openssl', package: 'openssl', versionOption: 'version' }
const MEBIBYTE = 1024 * 1024

describe('nginx with the configuration of docs/operating.md', () => {
  const folder = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'nginx-'))
  let nginx: ChildProcess | undefined
  after(async () => {
    nginx?.kill('SIGTERM')
    await stopAll()
    rmSync(folder, { recursive: true, force: true })
  })

  itInSoak('passes on public paths of the server, and blocks the others', async () => {
    const [program, openssl] = [findProgram(NGINX), findProgram(OPENSSL)]
    if (program === undefined || openssl === undefined) return
    const server = new ServerProcess(await newInstallation('sqlite'))
    const { url } = await server.listening()
    const port = await freePort()
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, openssl, port, url))
    execFileSync(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-t'], { stdio: 'pipe' })
    nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'ignore' })
    await checkAll(port, server)
    nginx.kill('SIGTERM')
  })

  itInSoak('asks the other server when one does not answer', async () => {
    const [program, openssl] = [findProgram(NGINX), findProgram(OPENSSL)]
    if (program === undefined || openssl === undefined) return
    const server = new ServerProcess(await newInstallation('sqlite'))
    const { url } = await server.listening()
    const [port, nobody] = [await freePort(), await freePort()]
    const own = configuration(folder, openssl, port, url, 1, [
      ['server 127.0.0.1:8080 ', `server 127.0.0.1:${nobody} `],
      ['server 127.0.0.1:8081 ', `server ${new URL(url).host} `],
    ])
    writeFileSync(join(folder, 'nginx.conf'), own)
    nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'ignore' })
    const ask = askerAt(port)
    while ((await ask('GET', '/rest/version').catch(() => undefined)) === undefined) await sleep(50)
    for (let count = 0; count < 20; count++) assert.equal((await ask('GET', '/rest/version')).status, 200)
    assert.equal((await ask('GET', '/ready')).status, 403)
  })
})

async function checkAll(port: number, server: ServerProcess) {
  const ask = askerAt(port)
  while ((await ask('GET', '/rest/version').catch(() => undefined))?.status !== 200) await sleep(50)

  for (const path of ['/health', '/ready', '/metrics']) assert.equal((await ask('GET', path)).status, 403, path)
  assert.equal((await ask('GET', `/rest/version?x=${'x'.repeat(31_900)}`)).status, 200, 'a long address')

  const product = { name: 'Left/Right', description: 'd', version: '1' }
  assert.equal((await ask('POST', '/rest/product', product)).status, 201)
  const found = await ask('GET', '/rest/product/Left%2FRight?include_fields=name')
  assert.equal(JSON.parse(found.text).products?.[0]?.name, 'Left/Right', 'a slash in a name')

  await ask('PUT', '/rest/parameters', { inbound_proxies: '127.0.0.1, ::1', maxlocalattachment: 47 })
  const bug = {
    product: 'TestProduct',
    component: 'TestComponent',
    summary: 's',
    description: 'd',
    version: 'unspecified',
  }
  const { id } = JSON.parse((await ask('POST', '/rest/bug', bug)).text)
  const path = `/rest/bug/${id}/attachment`
  const largest = Math.ceil((47 * MEBIBYTE) / 3) * 4
  assert.equal(await statusOfUpload(port, path, largest + 1000), 100, 'the largest attachment')
  assert.equal(await statusOfUpload(port, path, 2 * largest), 413)
  // All of it is sent only in the soak.
  const data = Buffer.alloc((isEveryCombination ? 47 : 2) * MEBIBYTE, 'x').toString('base64')
  const attachment = {
    ids: [id],
    data,
    file_name: 'large.bin',
    summary: 'Large',
    content_type: 'application/octet-stream',
  }
  const attached = await ask('POST', path, attachment)
  assert.equal(attached.status, 201, attached.text.slice(0, 200))

  await ask('GET', '/rest/time', undefined, { 'X-Forwarded-For': '203.0.113.7' })
  while (!server.stderr.includes('"path":"/rest/time"')) await sleep(20)
  assert.match(server.stderr, /"path":"\/rest\/time".*"address":"203\.0\.113\.7"/)

  const stream = await ask('GET', '/rest/event', undefined, { Accept: 'text/event-stream' }, /^retry: /)
  assert.match(stream.text, /^retry: \d+\nid: \d+\n/, 'the feed is not held back')
}

/** The example from the documentation, with the ports and the certificate of this machine. */
function configuration(
  folder: string,
  openssl: string,
  port: number,
  url: string,
  which = 0,
  places: readonly [string, string][] = [['http://127.0.0.1:8080', url]],
) {
  const example = fencedIn('docs/operating.md').filter(({ language }) => language === 'nginx')[which]
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=bugs.example.com']
  execFileSync(
    openssl,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', certificate, ...subject],
    { stdio: 'pipe' },
  )
  const own = replaced(example?.text ?? '', [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/letsencrypt/live/bugs.example.com/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/bugs.example.com/privkey.pem', key],
    ...places,
  ])
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`)
  return `daemon off; pid ${folder}/pid; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${folders.join(' ')}
${own}
}`
}

function replaced(text: string, pairs: [string, string][]) {
  return pairs.reduce((done, [from, to]) => {
    assert.ok(done.includes(from), `the example has ${from}`)
    return done.replaceAll(from, to)
  }, text)
}

/** What the proxy answers to the announcement of a body of this length: 100 if it takes the body, which is not sent. */
function statusOfUpload(port: number, path: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes, Expect: '100-continue' }
    const options = { host: '127.0.0.1', port, method: 'POST', path, headers, rejectUnauthorized: false, agent: false }
    const sent = request(options, (response) => done(response.statusCode ?? 0))
    const done = (status: number) => {
      resolve(status)
      sent.off('error', reject).on('error', () => {})
      sent.destroy()
    }
    sent.once('error', reject)
    sent.once('continue', () => done(100))
    sent.flushHeaders()
  })
}

interface Reply {
  status: number
  text: string
}

/** Asks through the proxy; with `until`, as soon as the answer has begun like that. */
function askerAt(port: number) {
  return (method: string, path: string, body?: object, more: Record<string, string> = {}, until?: RegExp) =>
    new Promise<Reply>((resolve, reject) => {
      const headers = { 'X-TRACKER-API-KEY': KEY, ...(body && { 'Content-Type': 'application/json' }), ...more }
      const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false }
      const sent = request(options, (response) => {
        let text = ''
        const done = () => resolve({ status: response.statusCode ?? 0, text })
        response.setEncoding('utf8').on('end', done)
        response.on('data', (chunk) => {
          text += chunk
          if (until?.test(text)) {
            done()
            sent.destroy()
          }
        })
      })
      sent.once('error', reject).end(body && JSON.stringify(body))
    })
}
