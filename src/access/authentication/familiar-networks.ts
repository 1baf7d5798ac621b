import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { widerNetworkOf } from './real-address.ts'

/** One account makes only so many networks familiar, the last ones, so that nobody makes many of them with one account. */
const NETWORKS_OF_ONE_ACCOUNT = 5
const MOST_ACCOUNTS = 10_000

const lastSessions = statement<{ most: number }>()((q, p) =>
  q
    .selectFrom('login_tokens')
    .innerJoin('users', 'users.id', 'login_tokens.user_id')
    .select(['users.login_key', 'login_tokens.last_address'])
    .orderBy('login_tokens.last_used_at', 'desc')
    .limit(p.most),
)

/**
 * Networks from which some user has logged in: to this process, or before it in a session that is still open. Passwords from there are
 * checked first when very many wait. It does not matter for which account, because that would show which accounts exist.
 */
export class FamiliarNetworks {
  private readonly db: Db
  private readonly byAccount = new Map<string, readonly string[]>()
  /** By network: how many accounts know it. */
  private readonly accounts = new Map<string, number>()
  private loading: Promise<void> | undefined

  constructor(db: Db) {
    this.db = db
  }

  async has(network: string): Promise<boolean> {
    this.loading ??= this.load()
    await this.loading
    return this.accounts.has(network)
  }

  note(account: string, network: string) {
    const before = this.byAccount.get(account) ?? []
    this.set(account, [network, ...before.filter((it) => it !== network)].slice(0, NETWORKS_OF_ONE_ACCOUNT))
    const [oldest] = this.byAccount.keys()
    if (this.byAccount.size > MOST_ACCOUNTS && oldest !== undefined) this.set(oldest, [])
  }

  private set(account: string, networks: readonly string[]) {
    for (const network of networks) this.accounts.set(network, (this.accounts.get(network) ?? 0) + 1)
    for (const network of this.byAccount.get(account) ?? []) {
      const left = (this.accounts.get(network) ?? 0) - 1
      if (left > 0) this.accounts.set(network, left)
      else this.accounts.delete(network)
    }
    this.byAccount.delete(account)
    if (networks.length > 0) this.byAccount.set(account, networks)
  }

  /** The newest last, because later ones replace those before. Without an answer, no network is familiar until the next login. */
  private async load() {
    try {
      const sessions = await this.db.all(lastSessions, { most: MOST_ACCOUNTS })
      for (const { login_key: account, last_address: address } of sessions.reverse())
        if (address !== null) this.note(account, widerNetworkOf(address))
    } catch {
      this.loading = undefined
    }
  }
}
