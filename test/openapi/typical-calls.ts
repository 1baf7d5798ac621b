import createClient from 'openapi-fetch'
// Written by generated-client.test.ts, which also compiles this file.
import type { components, paths } from './generated/lacewing.ts'

/** What a program does on a typical day, written against the types that openapi-typescript makes of the OpenAPI document. */
export async function typicalCalls(baseUrl: string, apiKey: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-TRACKER-API-KEY': apiKey } })

  const filed = await client.POST('/rest/bug', {
    params: { header: { 'Idempotency-Key': 'typical-calls-1' } },
    body: {
      product: 'TestProduct',
      component: 'TestComponent',
      version: 'unspecified',
      summary: 'The lamp is dark',
      op_sys: 'All',
      platform: 'All',
      priority: '---',
      severity: 'normal',
    },
  })
  if (filed.error) throw new Error(`${filed.error.code} ${filed.error.message}`)
  // Only a key that may only propose gets a proposal.
  if ('proposal' in filed.data) throw new Error('The bug is only proposed.')
  const id: number = filed.data.id

  const read = await client.GET('/rest/bug/{ref}', { params: { path: { ref: String(id) } } })
  if (read.error) throw new Error(read.error.message)
  const bug: Bug | undefined = read.data.bugs[0]
  const summary: string | undefined = bug?.summary

  const found = await client.GET('/rest/bug', { params: { query: { quicksearch: 'lamp', limit: 10 } } })
  if (found.error) throw new Error(found.error.message)
  const ids: number[] = (found.data.bugs ?? []).map((it) => it.id)

  const commented = await client.POST('/rest/bug/{ref}/comment', {
    params: { path: { ref: String(id) } },
    body: { comment: 'It was bright yesterday.' },
  })
  if (commented.error) throw new Error(commented.error.message)

  const changed = await client.PUT('/rest/bug/{ref}', {
    params: { path: { ref: String(id) } },
    body: { status: 'RESOLVED', resolution: 'FIXED', comment: { body: 'A new bulb.' } },
  })
  if (changed.error) throw new Error(changed.error.message)
  if ('proposal' in changed.data) throw new Error('The change is only proposed.')
  const added = changed.data.bugs[0]?.changes.status?.added

  const comments = await client.GET('/rest/bug/{ref}/comment', { params: { path: { ref: String(id) } } })
  const texts: string[] = (comments.data?.bugs[id]?.comments ?? []).map((it: Comment) => it.text)

  const whoami = await client.GET('/rest/whoami')
  const me: string | undefined = whoami.data?.name

  const refused = await client.GET('/rest/bug/{ref}', { params: { path: { ref: '999999999' } } })
  const code: number | undefined = refused.error?.code

  return { id, summary, ids, added, texts, me, code }
}

type Bug = components['schemas']['Bug']
type Comment = components['schemas']['Comment']
