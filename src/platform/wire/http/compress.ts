import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './answer.ts'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** A list of a hundred bugs is a tenth smaller than with 4, and takes a millisecond more in a thread. Higher ones gain little. */
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export type Encoding = 'br' | 'gzip'

export function encodingFor(headers: IncomingHttpHeaders): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

/** The same response with a compressed body. Threads of Node compress it, so that other requests do not wait. */
export async function compressed(it: Answer, encoding: Encoding): Promise<Answer> {
  const body = await (encoding === 'br' ? brotli(it.body, QUICK_BROTLI) : gzipped(it.body))
  return { ...it, headers: { ...it.headers, 'Content-Encoding': encoding }, body }
}
