import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type Goal, settled, waitForValue } from './page-timing.ts'
import type { StaticFile } from './static-server.ts'

export interface StaticPages {
  url: string
  stop(): void
}

export const EMPTY_PAGE = '/empty'

/**
 * Serves what the pages show as plain HTML: the rendered elements, the style and the icons, without any script. Each copy has the name
 * of its goal.
 */
export async function startStaticPages(
  page: Page,
  url: string,
  goals: ReadonlyMap<string, Goal>,
): Promise<StaticPages> {
  const files: Record<string, StaticFile> = { [EMPTY_PAGE]: htmlFile('<!doctype html><title>Empty</title><body>') }
  const assets = new Set<string>()
  for (const [name, { address, selector, count }] of goals) {
    await page.goto(url + address)
    await waitForValue(page, `document.querySelectorAll(${JSON.stringify(selector)}).length >= ${count}`)
    await settled(page)
    const html = (await page.evaluate<string>(COPY)).replaceAll(url, '')
    for (const [path] of html.matchAll(/\/assets\/[\w.-]+/g)) assets.add(path)
    files[`/${name}`] = htmlFile(html)
  }
  for (const path of assets) {
    const response = await fetch(url + path)
    files[path] = {
      contentType: response.headers.get('Content-Type') ?? '',
      body: await response.text(),
      isKept: true,
    }
  }
  return serve(files)
}

/** The document without its scripts. */
const COPY = `(() => {
  const copy = document.documentElement.cloneNode(true)
  for (const part of copy.querySelectorAll('script, noscript, link[rel=modulepreload]')) part.remove()
  return '<!doctype html>' + copy.outerHTML
})()`

function htmlFile(body: string): StaticFile {
  return { contentType: 'text/html; charset=utf-8', body, isKept: false }
}

async function serve(files: Record<string, StaticFile>): Promise<StaticPages> {
  const child = fork(fileURLToPath(new URL('./static-server.ts', import.meta.url)))
  const port = await new Promise<number>((resolve) => {
    child.once('message', (given) => resolve(given as number))
    child.send(files)
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() }
}
