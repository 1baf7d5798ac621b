import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { PriorityQueue, type TaskPlace } from '../queues/priority-queue.ts'
import { isImported, isOldPassword } from './old-passwords.ts'

const derive = promisify(argon2)

/** The cost of argon2id: 19 MiB and two passes, the minimum that OWASP recommends. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Each derivation takes a thread of the pool and 19 MiB, and reads must continue meanwhile. */
const queue = new PriorityQueue({
  running: 2,
  waiting: 400,
  waitingOfOneKey: 40,
  waitingInOrder: 20,
  milliseconds: 10_000,
})

/**
 * Whose password work is next. `known` has shown a session, a working link, or a browser in which the user has logged in before; `network`
 * comes from where some user has logged in before.
 */
export const PASSWORD_RANKS = { known: 0, network: 1, unknown: 2 } as const

/** Counts the derivations, so that a test can check that a signed-in call needs none. */
export const passwordWork = {
  derivations: 0,
  get waiting() {
    return queue.waitingCount
  },
}

/** `keys` name the user or the account: all with the same key share their turns. They are not part of the hash. */
export async function hashPassword(password: string, keys: readonly string[]) {
  const salt = randomBytes(16)
  const tag = await queue.run({ keys, rank: PASSWORD_RANKS.known }, () => derived(password, salt))
  return `argon2id$${COST.memory}$${COST.passes}$${COST.parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`
}

/**
 * Waits for a turn to check a password; throws 503 if that takes too long. What must be done only if the
 * password is really checked belongs into `check`.
 */
export function withPasswordTurn<Result>(
  place: TaskPlace,
  check: (isPassword: PasswordComparison) => Promise<Result>,
): Promise<Result> {
  return queue.run(place, () => check(isPassword))
}

type PasswordComparison = typeof isPassword

/** Takes as long for an account without a password, or for no account at all, as for a wrong password. */
async function isPassword(password: string, stored: string | null | undefined) {
  const isOld = isImported(stored) && isOldPassword(password, stored)
  const [kind, memory, passes, parallelism, salt, tag] = (
    isImported(stored) ? UNMATCHABLE : stored || UNMATCHABLE
  ).split('$')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: COST.tagLength,
  }
  const found = await derived(password, Buffer.from(salt ?? '', 'base64url'), cost)
  const wanted = Buffer.from(tag ?? '', 'base64url')
  return isOld || (kind === 'argon2id' && found.length === wanted.length && timingSafeEqual(found, wanted))
}

const UNMATCHABLE = `none$${COST.memory}$${COST.passes}$${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

function derived(password: string, nonce: Buffer, cost = COST): Promise<Buffer> {
  passwordWork.derivations++
  return derive('argon2id', { message: password, nonce, ...cost })
}
