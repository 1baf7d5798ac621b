import type { Readable } from 'node:stream'
import type { Settings } from '../settings.ts'
import type { Content, ContentStore } from './content-store.ts'
import { FolderStore } from './folder-store.ts'
import { KeptContents } from './kept-contents.ts'
import { S3Store } from './s3-store.ts'

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

  put(settings: Settings, content: Content): Promise<void> {
    return this.storeFor(settings).put(content)
  }

  async open(settings: Settings, digest: string): Promise<Readable> {
    for (const store of this.placesFor(settings)) {
      const found = await store.open(digest)
      if (found) return found
    }
    throw lost(digest)
  }

  async read(settings: Settings, digest: string): Promise<Buffer> {
    const kept = this.kept.get(digest)
    if (kept) return kept
    for (const store of this.placesFor(settings)) {
      const found = await store.read(digest)
      if (found === undefined) continue
      this.kept.add(digest, found)
      return found
    }
    throw lost(digest)
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

function lost(digest: string) {
  return new Error(`The content ${digest} is in no store`)
}
