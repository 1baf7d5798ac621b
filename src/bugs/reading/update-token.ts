import { digest } from '../../platform/secrets/secrets.ts'

interface Revised {
  id: number
  revision: number
  changed_at: string
}

/** The token in Bugzilla's form, for old clients. It changes only when the bug changes, so that a response can be cached. */
export function updateTokenFor(secret: string, userId: number, { id, revision, changed_at }: Revised): string {
  const seconds = Date.parse(changed_at) / 1000
  return `${seconds}-${proofOf(secret, `${seconds} ${userId} ${id} ${revision}`)}`
}

/** Half of a digest, which prevents length-extension attacks. A second digest (HMAC) would cost time in every read. */
function proofOf(secret: string, text: string) {
  return digest(`${secret} ${text}`).slice(0, PROOF_LENGTH)
}

/** Over 128 bits. */
const PROOF_LENGTH = 22
