import type { Page } from 'playwright-core'

/** The names of the files that the browser keeps with drafts. */
export function keptFiles(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`new Promise((resolve) => {
    const opened = indexedDB.open('lacewing', 1)
    opened.onsuccess = () => {
      const read = opened.result.transaction('draft files').objectStore('draft files').getAll()
      read.onsuccess = () => {
        opened.result.close()
        resolve(read.result.flatMap(({ files }) => files.map(({ name }) => name)))
      }
    }
  })`)
}
