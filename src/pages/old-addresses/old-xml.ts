import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { isCredential } from '../../access/authentication/credentials.ts'
import type { Answer } from '../../platform/wire/http/answer.ts'
import type { Request } from '../../platform/wire/http/http-server.ts'
import type { FirstCalls } from '../first-data.ts'
import { bugsAsXml } from './bug-xml.ts'

/** More would be an answer that takes long to make. */
const MOST_BUGS = 50
const CREDENTIAL_HEADERS = ['authorization', 'x-bugzilla-api-key', 'x-tracker-api-key'] as const

/**
 * compat: `show_bug.cgi?ctype=xml`. It is made of the answers of the REST API to this caller, with the credentials of the request. Without
 * `field=attachmentdata`, the contents of attachments are left out.
 */
export async function answerXml(
  calls: FirstCalls,
  baseUrl: string,
  ids: readonly string[],
  query: URLSearchParams,
  [request, response]: readonly [Request, ServerResponse],
): Promise<Answer> {
  if (ids.length > MOST_BUGS) return failure(400, `At most ${MOST_BUGS} bugs can be read at once.`)
  const credentials = [...query].filter(([name]) => isCredential(name))
  const headers: IncomingHttpHeaders = Object.fromEntries(
    CREDENTIAL_HEADERS.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
  )
  const read = async (path: string, params: readonly (readonly [string, string])[]) => {
    const all = new URLSearchParams()
    for (const [name, value] of [...params, ...credentials]) all.append(name, value)
    const address = `${path}?${all}`
    return calls.answerOf(address, request, response, headers)
  }
  const many = (name: string, values: readonly string[]) => values.map((value) => [name, value] as const)
  const found = await read('/rest/bug/', [...many('ids', ids), ['permissive', '1']])
  if (found === undefined) return failure(413, 'The answer is too large: ask for fewer bugs.')
  if (found.status !== 200) return failure(found.status, messageIn(found.body))
  const { bugs = [], faults = [] } = JSON.parse(found.body)
  const [first, ...others] = bugs.map(({ id }: { id: number }) => String(id)) as string[]
  const excluded = valuesOf(query, 'excludefield')
  const fields = valuesOf(query, 'field')
  const below = async (part: string, params: readonly (readonly [string, string])[]) => {
    if (first === undefined) return {}
    const answer = await read(`/rest/bug/${first}/${part}`, [...many('ids', others), ...params])
    return answer?.status === 200 ? (JSON.parse(answer.body).bugs ?? {}) : undefined
  }
  const withData = fields.includes('attachmentdata')
  const comments = await below('comment', [])
  const attachments = await below('attachment', withData ? [] : [['exclude_fields', 'data']])
  if (comments === undefined || attachments === undefined)
    return failure(413, 'The answer is too large: ask for fewer bugs.')
  const named = fields.filter((name) => name !== 'attachmentdata')
  return document(200, bugsAsXml({ baseUrl, bugs, faults, comments, attachments }, { fields: named, excluded }))
}

function valuesOf(query: URLSearchParams, name: string) {
  return query.getAll(name).flatMap((value) => value.split(/[\s,]+/))
}

function messageIn(body: string): string {
  return String((JSON.parse(body) as { message?: string }).message ?? '')
}

function failure(status: number, message: string): Answer {
  const text = message.replaceAll(/[&<>]/g, ' ')
  return document(
    status,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<bugzilla><error>${text}</error></bugzilla>\n`,
  )
}

/** Never kept: it depends on what the caller may see. */
function document(status: number, body: string): Answer {
  const headers = {
    'Content-Type': 'text/xml; charset=utf-8',
    'Content-Disposition': 'inline; filename="show_bug.xml"',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
  return { status, headers, body }
}
