import type { CallContext } from '../access/call.ts'
import { dictionary } from '../platform/text/dictionary.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import { readBytes } from '../platform/wire/http/read-body.ts'

type Raw = Pick<CallContext, 'bytes' | 'headers'>

export const NOTHING_RAW: Raw = { bytes: Buffer.alloc(0), headers: dictionary({}) }

/** The body and the headers of a request as they were sent. Of a header that was sent several times, none counts. */
export async function readRaw({ raw }: Request, { most }: { most: number }): Promise<Raw> {
  const distinct = Object.entries(raw.headersDistinct)
  const single = distinct.flatMap(([name, values]) => (values?.length === 1 ? [[name, values[0]]] : []))
  return { bytes: await readBytes(raw, most), headers: dictionary(Object.fromEntries(single)) }
}
