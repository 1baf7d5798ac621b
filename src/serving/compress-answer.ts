import type { OpenRequest } from '../access/open-request.ts'
import type { Answer } from '../platform/wire/http/answer.ts'
import { compressed, encodingFor } from '../platform/wire/http/compress.ts'
import type { Request } from '../platform/wire/http/http-server.ts'

/** A shorter response takes one or two packets anyway. */
const SHORTEST = 4096

/**
 * Compresses a response to our own pages, if it is long. The length of a compressed response can tell whether two parts of it are alike,
 * so it must not have a text that another site chose next to data of the reader: errors, scripts and lists of ignored parameters are
 * sent as they are, and so is every response to a request that another site can make.
 */
export function compressedForPages(
  it: Answer,
  request: Request,
  { isFromOwnPage }: Pick<OpenRequest, 'isFromOwnPage'>,
): Answer | Promise<Answer> {
  if (it.body.length < SHORTEST || !isFromOwnPage) return it
  const isData = it.status === 200 && String(it.headers['Content-Type']).startsWith('application/json')
  const encoding = isData && !it.body.includes(IGNORED) ? encodingFor(request.headers) : undefined
  return encoding === undefined ? it : compressed(it, encoding)
}

const IGNORED = '"ignored":['
