import type { Call } from '../access/call.ts'
import { readStateVersions } from '../access/installation.ts'
import { errors } from '../platform/errors.ts'
import type { Request } from '../platform/wire/http/http-server.ts'
import { type BodyLimit, isJson, isUrlEncoded, lengthOf, readBody, readForm } from '../platform/wire/http/read-body.ts'
import type { RequestParams } from '../platform/wire/params.ts'
import type { Service } from './service.ts'

/** The body of a call that writes, up to the limit of the call. */
export async function readCallBody(
  service: Service,
  call: Call,
  { raw, within }: Request,
): Promise<RequestParams | undefined> {
  if (within !== undefined) return within.body
  const isWrite = call.method === 'POST' || call.method === 'PUT'
  const isForm = call.takesForm === true && isUrlEncoded(raw)
  if (isWrite && !isJson(raw) && !isForm) throw errors.not_json()
  const { bodyBytes } = service.limits
  const length = lengthOf(raw)
  const usual = { bytes: bodyBytes, refusal: () => errors.body_too_large({ limit: bodyBytes }) }
  if (isForm) return readForm(raw, usual)
  if (call.takesFile === undefined) return readBody(raw, usual)
  const isShort = length !== undefined && length <= bodyBytes
  const limit = isShort ? usual : await fileLimit(service, call.takesFile.limit)
  return readBody(raw, { ...limit, fileIn: call.takesFile.in })
}

/**
 * The body may contain the credentials, so it is read before the caller is known. Therefore a long body is read only as far as it could
 * contain a file that is not refused anyway.
 */
async function fileLimit(
  { authenticator, limits }: Service,
  limitFor: NonNullable<Call['takesFile']>['limit'],
): Promise<BodyLimit> {
  const { installation, db } = authenticator
  const { bytes, refusal } = limitFor(await installation.settingsAt(await readStateVersions(db)))
  if (bytes <= limits.fileBodyBytes) return { bytes: Math.max(bytes, limits.bodyBytes), refusal }
  return { bytes: limits.fileBodyBytes, refusal: () => errors.body_too_large({ limit: limits.fileBodyBytes }) }
}
