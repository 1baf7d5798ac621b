import type { Authenticator } from '../access/authentication/authenticated-request.ts'
import type { SessionCookie } from '../access/authentication/session-cookie.ts'
import type { CallConfig, Config } from '../platform/config/config.ts'
import type { Contents } from '../platform/contents/contents.ts'
import type { Replicas } from '../platform/database/replicas/replicas.ts'
import type { Log } from '../platform/monitoring/log.ts'
import type { Metrics } from '../platform/monitoring/metrics.ts'
import type { Admission } from '../platform/queues/admission.ts'
import type { ServerParts } from '../platform/server-parts.ts'
import type { UnreadResponses } from '../platform/wire/http/unread-responses.ts'
import type { ProvenCallers } from './proven-callers.ts'

/** What every request is served with. */
export interface Service {
  authenticator: Authenticator
  contents: Contents
  serverParts: ServerParts
  /** Standbys for calls that only read; undefined if there are none. */
  replicas: Replicas | undefined
  log: Log
  metrics: Metrics
  unread: UnreadResponses
  admission: Admission
  provenCallers: ProvenCallers
  baseUrl: () => string
  /** The cookie of the pages. */
  sessionCookie: () => SessionCookie
  /** The path of the base address. */
  root: string
  limits: Config['limits']
  config: CallConfig
}
