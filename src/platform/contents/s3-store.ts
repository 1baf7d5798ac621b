import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { ContentStore, KeyedContent } from './content-store.ts'

/** The bucket and the credentials. */
export interface S3Location {
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

const LONGEST_WAIT = 30_000

/**
 * Objects in a bucket of an S3-compatible store, named by their keys. The bucket is in the path, which all such stores
 * understand.
 */
export class S3Store implements ContentStore {
  private readonly client: AwsClient
  private readonly bucket: string

  constructor({ endpoint, region, bucket, accessKey, secretKey }: S3Location) {
    this.client = new AwsClient({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      region,
      service: 's3',
      retries: 2,
    })
    this.bucket = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  }

  /** The digest is signed, so that a store that checks it rejects content that was damaged on the way. */
  async put({ key, digest, bytes }: KeyedContent) {
    if (await this.has(key)) return
    const headers = { 'X-Amz-Content-Sha256': digest, 'Content-Type': 'application/octet-stream' }
    const response = await this.send('PUT', key, { body: new Uint8Array(bytes), headers })
    await response.arrayBuffer()
    if (!response.ok) throw refusalOf('PUT', response)
  }

  async open(key: string): Promise<Readable | undefined> {
    const response = await this.get(key)
    return response?.body ? Readable.fromWeb(response.body as ReadableStream) : undefined
  }

  async read(key: string): Promise<Buffer | undefined> {
    const response = await this.get(key)
    return response && Buffer.from(await response.arrayBuffer())
  }

  async remove(key: string) {
    const response = await this.send('DELETE', key)
    await response.arrayBuffer()
    if (!response.ok && response.status !== 404) throw refusalOf('DELETE', response)
  }

  /** Not checked: all servers share the store, so it would not help to take all of them out of service. */
  async requireWritable() {}

  private async get(key: string): Promise<Response | undefined> {
    const response = await this.send('GET', key)
    if (response.status === 200) return response
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw refusalOf('GET', response)
  }

  private async has(key: string) {
    const response = await this.send('HEAD', key)
    if (response.ok) return true
    if (response.status === 404) return false
    throw refusalOf('HEAD', response)
  }

  /** The timeout is for the beginning of the response; how long the rest takes depends on its reader. */
  private async send(method: string, key: string, init: RequestInit = {}) {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), LONGEST_WAIT)
    try {
      const request = { ...init, method, signal: timeout.signal, redirect: 'manual' } as const
      return await this.client.fetch(`${this.bucket}/attachments/${key}`, request)
    } catch (fault) {
      throw this.unavailable(fault as Error, timeout.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
  }

  private unavailable({ message, cause }: Error, wasTooSlow: boolean) {
    const { code } = (cause ?? {}) as { code?: string }
    const why = wasTooSlow ? `no answer in ${LONGEST_WAIT / 1000} seconds` : (code ?? message)
    return new StoreUnavailable(`The S3 store ${new URL(this.bucket).host} does not respond (${why})`, { cause })
  }
}

/** The store cannot be asked about any content now. */
export class StoreUnavailable extends Error {}

/** For the log: contains neither the keys nor what the store says about the signature. */
function refusalOf(method: string, { status }: Response) {
  return new Error(`The S3 store answered ${status} to ${method}`)
}
