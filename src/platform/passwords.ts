import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** What argon2id costs: 19 MiB and two passes, the least that OWASP recommends. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const AT_ONCE = 2

/** Counts the derivations, so that a test can see that a signed-in call needs none. */
export const passwordWork = { derivations: 0 }

export async function hashPassword(password: string) {
  const salt = randomBytes(16)
  const tag = await derived(password, salt)
  return `argon2id$${COST.memory}$${COST.passes}$${COST.parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`
}

/** Takes as long for an account without a password, or for no account at all, as for a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined) {
  const [kind, memory, passes, parallelism, salt, tag] = (stored || UNMATCHABLE).split('$')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: COST.tagLength,
  }
  const found = await derived(password, Buffer.from(salt ?? '', 'base64url'), cost)
  const wanted = Buffer.from(tag ?? '', 'base64url')
  return kind === 'argon2id' && found.length === wanted.length && timingSafeEqual(found, wanted)
}

const UNMATCHABLE = `none$${COST.memory}$${COST.passes}$${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

let running = 0
const waiting: (() => void)[] = []

/** At most a few at once: each takes a thread of the pool and 19 MiB, and reads must go on meanwhile. */
async function derived(password: string, nonce: Buffer, cost = COST): Promise<Buffer> {
  if (running < AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  passwordWork.derivations++
  try {
    return await derive('argon2id', { message: password, nonce, ...cost })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
