import { digest } from '../../platform/secrets/secrets.ts'

interface Revised {
  id: number
  revision: number
  changed_at: string
}

/** Of the old form that is answered for old clients. It changes with every change of the bug, and only then, so that a read can be cached. */
export function updateTokenFor(secret: string, userId: number, { id, revision, changed_at }: Revised): string {
  const seconds = Date.parse(changed_at) / 1000
  return `${seconds}-${proofOf(secret, `${seconds} ${userId} ${id} ${revision}`)}`
}

/** Half of a digest, so that nobody can go on from a known proof: one digest is enough, and it is made for every read. */
function proofOf(secret: string, text: string) {
  return digest(`${secret} ${text}`).slice(0, PROOF_LENGTH)
}

/** Over 128 bits. */
const PROOF_LENGTH = 22
