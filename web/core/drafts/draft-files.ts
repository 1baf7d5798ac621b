// The files of drafts survive a reload too. They are in the browser's database, because localStorage keeps only text.

import { keyOf } from './drafts.ts'

const DATABASE = 'lacewing'
const STORE = 'draft files'
/** The limit for one draft. Browsers grant pages much more. */
const MOST_BYTES = 50_000_000
const MOST_DAYS = 30

interface KeptFiles {
  files: File[]
  /** Milliseconds since 1970. */
  keptAt: number
}

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const transaction = (await open()).transaction(STORE, mode)
  const request = act(transaction.objectStore(STORE))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

export async function readDraftFiles(name: string): Promise<readonly File[]> {
  try {
    const kept = await inStore<KeptFiles | undefined>('readonly', (store) => store.get(keyOf(name)))
    return kept?.files ?? []
  } catch {
    return []
  }
}

/** Returns whether all of them are kept. */
export async function keepDraftFiles(name: string, files: readonly File[]): Promise<boolean> {
  try {
    if (files.length === 0) await inStore('readwrite', (store) => store.delete(keyOf(name)))
    else await keep(name, fitting(files))
    return fitting(files).length === files.length
  } catch {
    return files.length === 0
  }
}

async function keep(name: string, files: File[]) {
  const kept: KeptFiles = { files, keptAt: Date.now() }
  await inStore('readwrite', (store) => {
    dropOld(store)
    return store.put(kept, keyOf(name))
  })
}

/** The first files that fit into the limit together. */
function fitting(files: readonly File[]): File[] {
  let bytes = 0
  return files.filter(({ size }) => {
    bytes += size
    return bytes <= MOST_BYTES
  })
}

/** Drafts that were never sent. */
function dropOld(store: IDBObjectStore) {
  const oldest = Date.now() - MOST_DAYS * 86_400_000
  const request = store.openCursor()
  request.onsuccess = () => {
    const cursor = request.result
    if (cursor === null) return
    if ((cursor.value as KeptFiles).keptAt < oldest) cursor.delete()
    cursor.continue()
  }
}
