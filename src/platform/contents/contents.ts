import { Readable } from 'node:stream'
import type { Settings } from '../config/settings.ts'
import { errors } from '../errors.ts'
import { type ContentStore, EMPTY_KEY, type KeyedContent } from './content-store.ts'
import { FolderStore } from './folder-store.ts'
import { KeptContents } from './kept-contents.ts'
import { S3Store } from './s3-store.ts'
import { damaged, isWhole, missing, verified } from './verify-content.ts'

const RETRY_SECONDS = 5
/** A smaller content is looked at before the answer begins. */
const READ_AT_ONCE = 1024 * 1024

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

  /** From where it is kept, and not from memory. A large one that is damaged is noticed only at its end, where the stream fails. */
  async open(settings: Settings, key: string, size: number): Promise<Readable> {
    if (key === EMPTY_KEY) return Readable.from([])
    if (size <= READ_AT_ONCE) return Readable.from([await this.find(settings, key, (store) => wholeFrom(store, key))])
    return verified(key, await this.find(settings, key, (store) => store.open(key)))
  }

  async read(settings: Settings, key: string): Promise<Buffer> {
    if (key === EMPTY_KEY) return Buffer.alloc(0)
    const kept = this.kept.get(key)
    if (kept) return kept
    const found = await this.find(settings, key, (store) => wholeFrom(store, key))
    this.kept.add(key, found)
    return found
  }

  /** From every store that is known, since nobody knows in which of them it is. */
  async remove(settings: Settings, key: string) {
    for (const store of this.placesFor(settings)) await store.remove(key)
  }

  /** In the first store that has it; one that fails does not keep the others from being asked. */
  private async find<Found>(
    settings: Settings,
    key: string,
    look: (store: ContentStore) => Promise<Found | undefined>,
  ): Promise<Found> {
    let cause: unknown
    for (const store of this.placesFor(settings)) {
      try {
        const found = await look(store)
        if (found !== undefined) return found
      } catch (fault) {
        cause ??= fault
      }
    }
    throw Object.assign(errors.file_unreadable({ seconds: RETRY_SECONDS }), { cause: cause ?? missing(key) })
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

async function wholeFrom(store: ContentStore, key: string): Promise<Buffer | undefined> {
  const bytes = await store.read(key)
  if (bytes !== undefined && !(await isWhole(key, bytes))) throw damaged(key)
  return bytes
}
