import { createHmac, randomBytes } from 'node:crypto'

/** The secret of a webhook in the format of Standard Webhooks: this prefix, and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const [LEAST_BYTES, MADE_BYTES, MOST_BYTES] = [24, 32, 64]

export function newSecret(): string {
  return PREFIX + randomBytes(MADE_BYTES).toString('base64')
}

export function isSecret(text: string): boolean {
  const key = text.slice(PREFIX.length)
  if (!text.startsWith(PREFIX) || !BASE64.test(key)) return false
  const { length } = Buffer.from(key, 'base64')
  return length >= LEAST_BYTES && length <= MOST_BYTES
}

/** A delivery as it is signed. */
export interface SignedDelivery {
  /** The same for every attempt of the same delivery, so that the receiver can recognize duplicates. */
  id: string
  /** Seconds since 1970, so that the receiver can reject replayed requests. */
  seconds: number
  body: string
}

/**
 * The three headers of Standard Webhooks. With several secrets there is one signature for each; the receiver needs only
 * one secret.
 */
export function signatureHeaders(secrets: readonly string[], { id, seconds, body }: SignedDelivery) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${signed(secret, `${id}.${seconds}.${body}`)}`).join(' '),
  }
}

function signed(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(text)
    .digest('base64')
}
