import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { isAmong } from '../../../platform/network/address-guard.ts'
import type { CodeSource, SourceKind } from '../sources/code-source.ts'
import type { DeliveryHeaders } from './read-delivery.ts'

/** A delivery as it arrived. */
export interface SentDelivery {
  body: Buffer
  /** The JSON in it: the body, or a field of it if it is a form. */
  json: Buffer
  headers: DeliveryHeaders
  /** Who sent it. */
  address: string
  /** In the address, for sources that cannot sign. */
  secret: string | undefined
}

/** GitLab signs a time too; an older or later one is refused. */
const MOST_SECONDS_OFF = 300

/** Whether the delivery is from somebody who has the secret of the source, and from a network that the source may send from. */
export function isAuthentic(
  { kind, networks }: Pick<CodeSource, 'kind' | 'networks'>,
  secret: string,
  sent: SentDelivery,
) {
  const isProven = PROOFS[kind](secret, sent)
  return isProven && (networks.length === 0 || isAmong(sent.address, networks))
}

type Proof = (secret: string, sent: SentDelivery) => boolean

const PROOFS: Readonly<Record<SourceKind, Proof>> = {
  github: (secret, sent) => isSigned(secret, sent, 'x-hub-signature-256'),
  // They sign the JSON, also where they send it in a form.
  forgejo: (secret, { json, ...sent }) =>
    isSigned(secret, { ...sent, json, body: json }, 'x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'),
  phabricator: (secret, sent) => isSigned(secret, sent, 'x-phabricator-webhook-signature'),
  git: (secret, sent) => isSigned(secret, sent, 'x-lacewing-signature-256'),
  gitlab: (secret, sent) =>
    sent.headers['webhook-signature'] === undefined
      ? isSame(sent.headers['x-gitlab-token'] ?? '', secret)
      : isSignedWithTime(secret, sent),
  gerrit: (secret, sent) => isSame(sent.headers['x-lacewing-token'] ?? sent.secret ?? '', secret),
}

/** The first of these headers that was sent is the one that counts. */
function isSigned(secret: string, { body, headers }: SentDelivery, ...names: readonly string[]) {
  const name = names.find((it) => headers[it] !== undefined)
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  const sent = name === undefined ? '' : (headers[name] ?? '').trim().replace(/^sha256=/, '')
  return isSame(sent.toLowerCase(), expected)
}

/** Standard Webhooks, as GitLab sends them with a signing token. */
function isSignedWithTime(secret: string, { body, headers }: SentDelivery) {
  const seconds = headers['webhook-timestamp'] ?? ''
  const isNow = /^\d{1,12}$/.test(seconds) && Math.abs(Date.now() / 1000 - Number(seconds)) <= MOST_SECONDS_OFF
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
  const hmac = createHmac('sha256', key)
    .update(`${headers['webhook-id'] ?? ''}.${seconds}.`)
    .update(body)
  const expected = `v1,${hmac.digest('base64')}`
  const signatures = (headers['webhook-signature'] ?? '').split(' ').slice(0, 5)
  return signatures.map((signature) => isSame(signature, expected)).includes(true) && isNow
}

/** The id of a delivery, if the source has signed it together with the body: then another delivery can have the same body. */
export function signedId({ kind }: Pick<CodeSource, 'kind'>, { headers }: SentDelivery): string {
  return kind === 'gitlab' && headers['webhook-signature'] !== undefined ? (headers['webhook-id'] ?? '') : ''
}

/** In a time that does not depend on where they differ. */
function isSame(sent: string, expected: string) {
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', expected, 'buffer')) && sent !== ''
}
