import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, type Server } from './processes.ts'
import { reusableSet } from './search-set.ts'
import { numbersFrom, sentence } from './texts.ts'

const WRITERS = 12
const AT_ONCE = 4

/** A copy of the bugs that other runs search, because this one changes them. */
export async function copyOfBugs(root: string, size: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-pages-'))
  cpSync(await reusableSet(root, size), folder, { recursive: true })
  return folder
}

/** Calls of several users. */
export class Company {
  private readonly url: string
  private readonly any = numbersFrom(14)
  private keys: string[] = []

  constructor({ port }: Server) {
    this.url = `http://127.0.0.1:${port}`
  }

  async open() {
    for (let number = 0; number < WRITERS; number++) {
      const path = `/rest/user/person${number}@bench.test/api_key`
      const { api_key } = await this.send<{ api_key: string }>('POST', path, { description: 'Made for measuring' })
      this.keys.push(api_key)
    }
  }

  /** A new bug with this many comments, its description included. */
  async fileBug(comments: number): Promise<number> {
    const { id } = await this.send<{ id: number }>('POST', '/rest/bug', {
      product: 'Product 1',
      component: 'Component 1',
      version: '1.0',
      summary: `The page with ${comments} comments takes long`,
      description: this.text(60),
    })
    for (let made = 1; made < comments; made += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, comments - made) }, () => this.comment(id)))
    return id
  }

  comment(id: number) {
    return this.send('POST', `/rest/bug/${id}/comment`, { comment: this.text(10 + this.any(80)) }, this.someKey())
  }

  setSummary(id: number, words: number) {
    return this.send('PUT', `/rest/bug/${id}`, { summary: this.text(words) })
  }

  async newestBugs(count: number): Promise<number[]> {
    const path = `/rest/bug?quicksearch=ALL&order=changeddate%20DESC&limit=${count}&include_fields=id`
    const { bugs } = await this.send<{ bugs: { id: number }[] }>('GET', path)
    return bugs.map(({ id }) => id)
  }

  private text(words: number) {
    return sentence(this.any, words)
  }

  private someKey() {
    return this.keys[this.any(this.keys.length)]
  }

  private async send<Body>(
    method: string,
    path: string,
    body?: object,
    key = ADMIN.LACEWING_ADMIN_API_KEY,
  ): Promise<Body> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': key },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status >= 300) throw new Error(`${method} ${path} failed: ${await response.text()}`)
    return (await response.json()) as Body
  }
}
