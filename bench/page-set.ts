import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../client/client.ts'
import { clientOf, type Server } from './processes.ts'
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
  private readonly server: Server
  private readonly admin: Client
  private readonly any = numbersFrom(14)
  private readonly writers: Client[] = []

  constructor(server: Server) {
    this.server = server
    this.admin = clientOf(server)
  }

  async open() {
    for (let number = 0; number < WRITERS; number++) {
      const key = { user: `person${number}@bench.test`, description: 'Made for measuring' }
      const { api_key } = await this.admin.post('/user/:user/api_key', key)
      this.writers.push(clientOf(this.server, api_key))
    }
  }

  /** A new bug with this many comments, its description included. */
  async fileBug(comments: number): Promise<number> {
    const { id } = await this.admin.post('/bug', {
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
    return this.someWriter().post('/bug/:ref/comment', { ref: id, comment: this.text(10 + this.any(80)) })
  }

  setSummary(id: number, words: number) {
    return this.admin.put('/bug/:ref', { ref: id, summary: this.text(words) })
  }

  async newestBugs(count: number): Promise<number[]> {
    const newest = { quicksearch: 'ALL', order: 'changeddate DESC', limit: count, include_fields: 'id' } as const
    const { bugs = [] } = await this.admin.get('/bug', newest)
    return bugs.map(({ id }) => id)
  }

  private text(words: number) {
    return sentence(this.any, words)
  }

  private someWriter(): Client {
    return this.writers[this.any(this.writers.length)] ?? this.admin
  }
}
