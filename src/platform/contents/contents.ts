import { Readable } from 'node:stream'
import type { Settings } from '../config/settings.ts'
import { errors } from '../errors.ts'
import { type ContentStore, EMPTY_KEY, type KeyedContent } from './content-store.ts'
import { FolderStore } from './folder-store.ts'
import { KeptContents } from './kept-contents.ts'
import { S3Store } from './s3-store.ts'
import { damagedContentError, isWhole, LostContent, missingContentError, verifiedStream } from './verify-content.ts'

const RETRY_SECONDS = 5
/** A content up to this size is verified before the response begins. */
const READ_AT_ONCE = 1024 * 1024

/**
 * The contents of files, outside of the database. New ones go to the store of the parameter attachment_store. Older
 * ones are also found in the store that was used before.
 */
export class Contents {
  private readonly folder: ContentStore
  private readonly kept = new KeptContents()
  /** Any change of parameters creates a new settings object, and with it a new store. */
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

  /**
   * Streams from the store, not from memory. Damage to a large content is noticed only at its end, where the stream
   * fails.
   */
  async open(settings: Settings, key: string, size: number): Promise<Readable> {
    if (key === EMPTY_KEY) return Readable.from([])
    if (size <= READ_AT_ONCE) return Readable.from([await this.find(settings, key, (store) => wholeFrom(store, key))])
    return verifiedStream(key, await this.find(settings, key, (store) => store.open(key)))
  }

  async read(settings: Settings, key: string): Promise<Buffer> {
    if (key === EMPTY_KEY) return Buffer.alloc(0)
    const kept = this.kept.get(key)
    if (kept) return kept
    const found = await this.find(settings, key, (store) => wholeFrom(store, key))
    this.kept.add(key, found)
    return found
  }

  /** Removes it from every configured store, because it is not known which of them has it. */
  async remove(settings: Settings, key: string) {
    for (const store of this.storesFor(settings)) await store.remove(key)
  }

  /** Searches all stores; one that fails does not stop the search. */
  private async find<Found>(
    settings: Settings,
    key: string,
    look: (store: ContentStore) => Promise<Found | undefined>,
  ): Promise<Found> {
    let cause: unknown
    for (const store of this.storesFor(settings)) {
      try {
        const found = await look(store)
        if (found !== undefined) return found
      } catch (fault) {
        if (cause === undefined || cause instanceof LostContent) cause = fault
      }
    }
    throw Object.assign(errors.file_unreadable({ seconds: RETRY_SECONDS }), {
      cause: cause ?? missingContentError(key),
    })
  }

  private storeFor(settings: Settings): ContentStore {
    return settings.attachment_store === 's3' ? this.remoteFor(settings) : this.folder
  }

  /** The store in use first, then the other one if it is configured. */
  private storesFor(settings: Settings): ContentStore[] {
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

async function wholeFrom(store: ContentStore, key: string): Promise<Buffer | undefined> {
  const bytes = await store.read(key)
  if (bytes !== undefined && !(await isWhole(key, bytes))) throw damagedContentError(key)
  return bytes
}
