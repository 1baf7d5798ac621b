import { type Answer, COMMON_HEADERS, forOwnPages } from '../platform/wire/http/answer.ts'

/** A refusal before a message reaches the protocol, in its form. */
export function rpcError(
  status: number,
  message: string,
  { code = -32000, id = null }: { code?: number; id?: unknown } = {},
): Answer {
  const shown = typeof id === 'string' || typeof id === 'number' ? id : null
  return forOwnPages({
    status,
    headers: { ...COMMON_HEADERS, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: shown, error: { code, message } }),
  })
}

interface Challenge {
  error?: string
  scope: string
}

/** The header WWW-Authenticate: where a program finds out how to get access, and what it should ask for (RFC 6750, 9728). */
export function challenge(metadata: string, { error, scope }: Challenge): string {
  const parts = [
    `resource_metadata="${metadata}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
    `scope="${scope}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
