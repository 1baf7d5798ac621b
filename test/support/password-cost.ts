import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** argon2id with the least memory and one pass: the same algorithm in less than a millisecond instead of some twenty. */
export const LOWEST_COST = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

let isReal = false

/** Runs `work` with the cost of a server, for tests of what happens while many passwords are checked. */
export async function withRealPasswordCost<Result>(work: () => Promise<Result>): Promise<Result> {
  isReal = true
  try {
    return await work()
  } finally {
    isReal = false
  }
}

const { argon2 } = crypto

/**
 * Loaded into the processes that run tests, before the server: they check thousands of passwords. A server that a test starts in a
 * process of its own has the real cost.
 */
export function lowerPasswordCost() {
  const cheap: typeof argon2 = (algorithm, parameters, callback) =>
    argon2(algorithm, isReal ? parameters : { ...parameters, ...LOWEST_COST }, callback)
  crypto.argon2 = cheap
  syncBuiltinESMExports()
}

/** The hash of a password as the server stores it; any server can check it, at this cost. */
export function cheapHashOf(password: string): string {
  const { memory, passes, parallelism } = LOWEST_COST
  const nonce = crypto.randomBytes(16)
  const tag = crypto.argon2Sync('argon2id', { message: password, nonce, ...LOWEST_COST })
  return `argon2id$${memory}$${passes}$${parallelism}$${nonce.toString('base64url')}$${tag.toString('base64url')}`
}
