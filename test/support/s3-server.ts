import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

// s3rver knows only this key id and does not check signatures of version 4, so this file checks them first.
export const ACCESS_KEY = 'S3RVER'
export const SECRET_KEY = 'a secret between two servers'
export const BUCKET = 'lacewing'

/** An S3 server that refuses requests without a valid AWS signature. */
export class S3Server {
  /** All requests, as `PUT /lacewing/attachments/…`, with the status of the response. */
  readonly served: string[] = []
  endpoint = ''
  private waiting: ((answer: () => void) => void) | undefined
  private server: Server | undefined

  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'lacewing-s3-'))
    const store = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] })
    await store.configureBuckets()
    const serve = store.callback()
    this.server = createServer((request, response) => {
      response.on('finish', () => this.served.push(`${request.method} ${request.url} ${response.statusCode}`))
      const answer = () => (isSigned(request) ? serve(request, response) : response.writeHead(403).end())
      if (this.waiting) this.waiting(answer)
      else answer()
    })
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve))
    this.endpoint = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close() {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  /** Stops answering until it is resumed. Resolves when a request waits. */
  hold(): Promise<void> {
    const held: (() => void)[] = []
    return new Promise((resolve) => {
      this.waiting = (answer) => {
        held.push(answer)
        resolve()
      }
      this.goOn = () => {
        this.waiting = undefined
        for (const answer of held.splice(0)) answer()
      }
    })
  }

  goOn() {}

  /** The parameters with which the tracker uses this store. */
  parameters() {
    return {
      attachment_store: 's3',
      s3_endpoint: this.endpoint,
      s3_region: 'eu-test-1',
      s3_bucket: BUCKET,
      s3_access_key: ACCESS_KEY,
      s3_secret_key: SECRET_KEY,
    }
  }
}

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/

function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, key, day, region, signed = '', signature = ''] = CREDENTIAL.exec(headers.authorization ?? '') ?? []
  const at = String(headers['x-amz-date'])
  if (key !== ACCESS_KEY || !at.startsWith(`${day}T`) || !signed.split(';').includes('host')) return false
  const [path = '', query = ''] = url.split('?')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, query, lines.join(''), signed, headers['x-amz-content-sha256']].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', at, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  const secret = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (from, word) => hmac(from, word ?? ''),
    `AWS4${SECRET_KEY}`,
  )
  return timingSafeEqual(hmac(secret, toSign), Buffer.from(signature, 'hex'))
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string) {
  return createHmac('sha256', key).update(text).digest()
}
