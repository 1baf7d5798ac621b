import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { isEveryCombination } from '../support/sample.ts'
import { slowUpload } from '../support/slow-upload.ts'
import { describeOnSqlite } from '../support/world.ts'

const MIB = 1024 * 1024
const JSON_TYPE = 'Content-Type: application/json\r\n'
const KEY = `X-TRACKER-API-KEY: ${cast.ada.apiKey}\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

describeOnSqlite('a request that is answered before it has arrived, on a connection that is to be closed', (world) => {
  const REQUESTS: Record<string, { beginning: string; status: number; code: number }> = {
    'with a body that is too long': {
      beginning: request('POST /rest/bug', `${KEY}${JSON_TYPE}Content-Length: ${8 * MIB}\r\n`),
      status: 413,
      code: 32000,
    },
    'with an attachment that is too long': {
      beginning: request('POST /rest/bug/1/attachment', `${KEY}${JSON_TYPE}Content-Length: ${80 * MIB}\r\n`),
      status: 400,
      code: 600,
    },
    'with a body that is too long, by nobody': {
      beginning: request('POST /rest/bug', `${JSON_TYPE}Content-Length: ${8 * MIB}\r\n`),
      status: 401,
      code: 410,
    },
    'with an attachment that is too long, by nobody': {
      beginning: request('POST /rest/bug/1/attachment', `${JSON_TYPE}Content-Length: ${30 * MIB}\r\n`),
      status: 401,
      code: 410,
    },
    'that is not JSON': {
      beginning: request('POST /rest/bug', `Content-Type: text/plain\r\nContent-Length: ${8 * MIB}\r\n`),
      status: 415,
      code: 32613,
    },
    'that reads, and needs a login': {
      beginning: request('GET /rest/whoami', `Content-Length: ${8 * MIB}\r\n`),
      status: 401,
      code: 410,
    },
    'to no call': { beginning: request('POST /rest/nothing', CHUNKED), status: 404, code: 32614 },
    'to a call that has not the method': {
      beginning: request('POST /rest/version', CHUNKED),
      status: 405,
      code: 32614,
    },
    'with long headers': {
      beginning: request('GET /rest/version', `X-Long: ${'x'.repeat(70_000)}`),
      status: 431,
      code: 32000,
    },
    'that is not HTTP': { beginning: 'nonsense\r\n\r\n', status: 400, code: 32000 },
    'with two lengths': {
      beginning: request('POST /rest/bug', `${CHUNKED}Content-Length: ${8 * MIB}\r\n`),
      status: 400,
      code: 32000,
    },
  }

  // Eight MiB are more than the buffers of a connection hold. One is enough to show which answer comes.
  for (const [place, [which, { beginning, status, code }]] of Object.entries(REQUESTS).entries())
    it(`${which} gets its answer`, async () => {
      const text = await slowUpload(world.url, beginning, place < 2 || isEveryCombination ? 8 * MIB : MIB)
      const [head = '', body = ''] = text.split('\r\n\r\n')
      assert.deepEqual([Number(head.split(' ')[1]), JSON.parse(body).code], [status, code], text)
    })
})

function request(what: string, headers: string) {
  return `${what} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`
}
