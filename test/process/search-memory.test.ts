import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { cast } from '../support/cast.ts'
import { sampled } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const KEY = cast.ada.apiKey
const MOST_MEGABYTES = 100

const COMMENTS = 150
const BUGS = 10
/** Not ASCII, so that SQLite itself cannot compare it case-insensitively. */
const TEXT = 'Ärger mit Straßenbäumen, überall. '.repeat(1900).slice(0, 65_000)

for (const engine of ['sqlite'] as const)
  describe(`the memory of a search in long texts (${engine})`, () => {
    let url = ''
    const ids: number[] = []
    before(async () => {
      const settings = await newInstallation(engine)
      const server = new ServerProcess(settings)
      url = (await server.listening()).url
      await send('POST', '/rest/field/bug', { name: 'cf_essay', type: 4, display_name: 'Essay', is_on_bug_entry: true })
      for (let number = 0; number < BUGS; number++)
        ids.push((await send('POST', '/rest/bug', { ...BUG, cf_essay: TEXT, whiteboard: 'ä' })).id)
      await addComments(settings, ids)
      for (const id of ids)
        await send('POST', `/rest/bug/${id}/attachment`, {
          data: Buffer.from(TEXT.repeat(10)).toString('base64'),
          file_name: 'essay.txt',
          summary: 'Essay',
          content_type: 'text/plain',
        })
      for (const id of ids) await send('PUT', `/rest/bug/${id}`, { cf_essay: `${TEXT.slice(1)}.` })
    })
    after(stopAll)

    const searches = [
      [60, 'longdesc', 'substring', 'überhaupt'],
      [20, 'longdesc', 'notsubstring', 'ärger'],
      [20, 'longdesc', 'casesubstring', 'ärger'],
      [2, 'longdesc', 'regexp', 'überh[aä]upt'],
      [20, 'longdesc', 'allwords', 'straße'],
      [20, 'longdesc', 'nowords', 'ärger'],
      [20, 'longdesc', 'equals', 'ärger'],
      [20, 'longdesc', 'greaterthan', 'ß'],
      [20, 'attach_data.thedata', 'substring', 'überhaupt'],
      [20, 'cf_essay', 'substring', 'überhaupt'],
      [20, 'cf_essay', 'changedfrom', 'überhaupt'],
    ] as const
    for (const [conditions, field, operator, value] of sampled(searches, 4, 3))
      it(`stays small for ${conditions} conditions ${operator} on ${field}`, async () => {
        const query = new URLSearchParams({ j_top: 'OR', include_fields: 'id' })
        for (let number = 0; number < conditions; number++) {
          query.set(`f${number}`, field)
          query.set(`o${number}`, operator)
          query.set(`v${number}`, `${value}${number}`)
        }
        assertSmall(await growthDuring(`/rest/bug?${query}`))
      })

    for (const order of sampled(['cf_essay', 'attach_data.thedata'], 2))
      it(`stays small when bugs are sorted by ${order}`, async () => {
        const query = new URLSearchParams({ id: ids.join(), order, include_fields: 'id' })
        assertSmall(await growthDuring(`/rest/bug?${query}`))
      })

    async function send(method: string, path: string, body: object) {
      const headers = { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': KEY }
      const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      assert.ok(response.ok, `${method} ${path}: ${response.status}`)
      return response.json() as Promise<{ id: number }>
    }

    /** The growth of the server's memory during a search, which may be refused only because it takes too long. */
    async function growthDuring(path: string): Promise<number> {
      const before = await megabytes()
      let most = before
      let isAnswered = false
      const answered = fetch(url + path).finally(() => {
        isAnswered = true
      })
      while (!isAnswered) {
        most = Math.max(most, await megabytes())
        await setTimeout(20)
      }
      const response = await answered
      const body = (await response.json()) as { code?: number }
      assert.ok(
        response.status === 200 || body.code === 1001,
        `${response.status} ${JSON.stringify(body).slice(0, 200)}`,
      )
      return Math.max(most, await megabytes()) - before
    }

    async function megabytes(): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^process_resident_memory_bytes\{process="1"\} (\d+)$/m.exec(text)?.[1]) / 2 ** 20
    }
  })

const BUG = { product: 'TestProduct', component: 'TestComponent', summary: 'Long texts', description: TEXT }

/** More comments like the description of each bug, straight in the database: by requests they would take seconds. */
async function addComments({ LACEWING_DATA: folder }: { LACEWING_DATA: string }, bugs: readonly number[]) {
  const db = openDatabase(join(folder, 'lacewing.db'))
  for (let number = 1; number < COMMENTS / BUGS; number++)
    await db.script(
      `insert into comments (bug_id, number, user_id, at, text, is_private, kind, about_id, work_hundredths)
        select bug_id, ${number}, user_id, at, text, is_private, kind, about_id, work_hundredths from comments
        where number = 0 and bug_id in (${bugs.join()})`,
    )
  await db.close()
}

function assertSmall(growth: number) {
  assert.ok(growth < MOST_MEGABYTES, `it took ${growth.toFixed(0)} MB`)
}
