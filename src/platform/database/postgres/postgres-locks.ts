import type { TransactionKind } from '../transactions/transaction-kinds.ts'

/** Arbitrary numbers that no other program uses as advisory locks in this database. */
const LOCK = {
  configuration: 5_261_001,
  migration: 5_261_002,
  login: 5_261_003,
  links: 5_261_004,
  events: 5_261_005,
  accounts: 5_261_006,
}

const exclusive = (lock: number) => `select pg_advisory_xact_lock(${lock})`
const shared = (lock: number) => `select pg_advisory_xact_lock_shared(${lock})`

/** A migration may take minutes, and other starting servers wait for it. */
const NO_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map(
  (limit) => `set local ${limit} = 0`,
)

/** The locks of each kind. Those that take several take them in the same order, so that there are no deadlocks. */
const LOCKS: Readonly<Record<TransactionKind, readonly string[]>> = {
  configuration: [exclusive(LOCK.configuration)],
  migration: [...NO_LIMITS, exclusive(LOCK.migration), exclusive(LOCK.configuration)],
  bugs: [shared(LOCK.configuration)],
  accounts: [shared(LOCK.configuration), exclusive(LOCK.accounts)],
  login: [exclusive(LOCK.login)],
  links: [exclusive(LOCK.links)],
  events: [exclusive(LOCK.events)],
}

/** The statements that begin a transaction. All wait for a migration, and it waits for all. */
export function beginOf(kind: TransactionKind | undefined) {
  const outside = kind === 'migration' ? [] : [shared(LOCK.migration)]
  return ['begin', ...outside, ...locksOf(kind)]
}

/** The statements that take the locks of a kind of transaction. */
export function locksOf(kind: TransactionKind | undefined) {
  return kind === undefined ? [] : LOCKS[kind]
}
