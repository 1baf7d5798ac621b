import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { forgetOldest } from '../../platform/queues/forget-oldest.ts'
import { isImported } from '../../platform/secrets/old-passwords.ts'
import { hashPassword, PASSWORD_RANKS, withPasswordTurn } from '../../platform/secrets/passwords.ts'
import { FamiliarNetworks } from './familiar-networks.ts'
import { countAttempt, forgetFailures, type LoginAttempt, noteLockout, requireNotLockedOut } from './lockout.ts'
import { widerNetworkOf } from './real-address.ts'

const replaceHash = statement<{ loginKey: string; old: string; hash: string }>()((q, p) =>
  q
    .updateTable('users')
    .set({ password_hash: p.hash })
    .where('login_key', '=', p.loginKey)
    .where('password_hash', '=', p.old),
)

export interface PasswordGuess {
  attempt: LoginAttempt
  password: string
  /** Null for an account without a password and for a missing account; both take as long as a wrong password. */
  stored: string | null
  /** Where it comes from, also if the attempt is counted by a device or session. */
  address: string
  /** The attempt is counted by a device or session that belongs to the account. */
  isKnown: boolean
}

/**
 * Guesses share their turns only with those of the same rank, so that other callers who guess do not delay the user. Whether the account exists
 * makes no difference, nor where its user has logged in: only whether anybody has from there.
 */
function placeOf({ loginKey, address }: LoginAttempt, rank: keyof typeof PASSWORD_RANKS) {
  const keys = [`${rank} account ${loginKey}`, `${rank} network ${widerNetworkOf(address)}`]
  return { keys, rank: PASSWORD_RANKS[rank] }
}

const PROOF_MILLISECONDS = 10 * 60_000
const MOST_PROOFS = 10_000

/** A client that sends a password with every request pays for argon2 once in ten minutes, not with every request. */
export class PasswordCheck {
  private readonly db: Db
  private readonly secret = randomBytes(32).toString('base64url')
  private readonly proven = new Map<string, number>()
  private readonly networks: FamiliarNetworks
  private readonly underWay = new Map<string, Promise<void>>()

  constructor(db: Db) {
    this.db = db
    this.networks = new FamiliarNetworks(db)
  }

  /** `requireMayGuess` is called before the expensive hashing. */
  requireRight(guess: PasswordGuess, requireMayGuess: () => void): Promise<void> {
    const { attempt, password, stored } = guess
    const proof = this.proofOf(attempt.loginKey, password, stored)
    if ((this.proven.get(proof) ?? 0) > Date.now()) return requireNotLockedOut(this.db, attempt)
    return this.once(`${proof} ${attempt.address}`, async () => {
      requireMayGuess()
      await requireNotLockedOut(this.db, attempt)
      const { isRight, isLast } = await this.compare(guess)
      if (!isRight) {
        if (isLast) await noteLockout(this.db, attempt)
        throw errors.wrong_credentials()
      }
      await forgetFailures(this.db, attempt)
      this.remember(proof)
      this.networks.note(attempt.loginKey, widerNetworkOf(guess.address))
      if (isImported(stored)) await this.replaceImported(attempt, password.trim(), stored)
    })
  }

  /** An imported hash is weak. Now that the password is known, it is stored as any other. */
  private async replaceImported(attempt: LoginAttempt, password: string, old: string) {
    const hash = await hashPassword(password, placeOf(attempt, 'known').keys)
    await this.db.all(replaceHash, { loginKey: attempt.loginKey, old, hash })
  }

  /** An attempt that is refused because too many passwords wait to be checked does not count as a failure. */
  private async compare({ attempt, password, stored, address, isKnown }: PasswordGuess) {
    const isFamiliar = await this.networks.has(widerNetworkOf(address))
    const rank = isKnown ? 'known' : isFamiliar ? 'network' : 'unknown'
    return withPasswordTurn(placeOf(attempt, rank), async (isPassword) => {
      const isLast = await countAttempt(this.db, attempt)
      return { isLast, isRight: await isPassword(password.trim(), stored) }
    })
  }

  /** Identical guesses that arrive at once count as one, so that a client with ten connections is not locked out. */
  private once(guess: string, judge: () => Promise<void>): Promise<void> {
    const known = this.underWay.get(guess)
    if (known) return known
    const result = judge().finally(() => this.underWay.delete(guess))
    this.underWay.set(guess, result)
    return result
  }

  /** Includes the stored hash, so that a changed password invalidates the proof. */
  private proofOf(loginKey: string, password: string, stored: string | null) {
    return hash('sha256', JSON.stringify([this.secret, loginKey, password, stored]), 'base64url')
  }

  private remember(proof: string) {
    this.proven.set(proof, Date.now() + PROOF_MILLISECONDS)
    forgetOldest(this.proven, MOST_PROOFS)
  }
}
