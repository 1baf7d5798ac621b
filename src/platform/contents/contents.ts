import { Readable } from 'node:stream'
import { errors } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { type ContentStore, EMPTY_KEY, type KeyedContent } from './content-store.ts'
import { FolderStore } from './folder-store.ts'
import { KeptContents } from './kept-contents.ts'
import { S3Store } from './s3-store.ts'

const RETRY_SECONDS = 5

/**
 * The contents of files, outside of the database. New ones go to the store that the parameter attachment_store names; older ones are found
 * also where they were kept before it was changed.
 */
export class Contents {
  private readonly folder: ContentStore
  private readonly kept = new KeptContents()
  /** A change of any parameter brings new settings, and with them a new store. */
  private readonly remote = new WeakMap<Settings, ContentStore>()

  constructor(folder: string) {
    this.folder = new FolderStore(folder)
  }

  async put(settings: Settings, content: KeyedContent): Promise<void> {
    try {
      await this.storeFor(settings).put(content)
    } catch (cause) {
      throw Object.assign(errors.files_unavailable({ seconds: RETRY_SECONDS }), { cause })
    }
  }

  requireWritable(settings: Settings): Promise<void> {
    return this.storeFor(settings).requireWritable()
  }

  async open(settings: Settings, key: string): Promise<Readable> {
    if (key === EMPTY_KEY) return Readable.from([])
    for (const store of this.placesFor(settings)) {
      const found = await store.open(key)
      if (found) return found
    }
    throw lost(key)
  }

  async read(settings: Settings, key: string): Promise<Buffer> {
    if (key === EMPTY_KEY) return Buffer.alloc(0)
    const kept = this.kept.get(key)
    if (kept) return kept
    for (const store of this.placesFor(settings)) {
      const found = await store.read(key)
      if (found === undefined) continue
      this.kept.add(key, found)
      return found
    }
    throw lost(key)
  }

  /** From every store that is known, since nobody knows in which of them it is. */
  async remove(settings: Settings, key: string) {
    for (const store of this.placesFor(settings)) await store.remove(key)
  }

  private storeFor(settings: Settings): ContentStore {
    return settings.attachment_store === 's3' ? this.remoteFor(settings) : this.folder
  }

  /** The one in use first; the other as far as it is known. */
  private placesFor(settings: Settings): ContentStore[] {
    if (settings.attachment_store === 's3') return [this.remoteFor(settings), this.folder]
    return settings.s3_endpoint === '' || settings.s3_bucket === ''
      ? [this.folder]
      : [this.folder, this.remoteFor(settings)]
  }

  private remoteFor(settings: Settings): ContentStore {
    const known = this.remote.get(settings)
    if (known) return known
    const store = new S3Store({
      endpoint: settings.s3_endpoint,
      region: settings.s3_region,
      bucket: settings.s3_bucket,
      accessKey: settings.s3_access_key,
      secretKey: settings.s3_secret_key,
    })
    this.remote.set(settings, store)
    return store
  }
}

function lost(key: string) {
  return new Error(`The content ${key} is in no store`)
}
