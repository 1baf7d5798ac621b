import type { Generated } from 'kysely'

/**
 * Every table, as both engines have it. Yes and no are 1 and 0, times are text (see clock.ts), and a column that ends in
 * `_key` holds the folded form of the name beside it (see fold.ts): look up and sort by the key, answer the name.
 */
export interface Database {
  users: UsersTable
  groups: GroupsTable
  user_group_grants: UserGroupGrantsTable
  group_grants: GroupGrantsTable
  api_keys: ApiKeysTable
  login_tokens: LoginTokensTable
  login_failures: LoginFailuresTable
  parameters: ParametersTable
  audit_log: AuditLogTable
  state_versions: StateVersionsTable
  keywords: KeywordsTable
}

export type Flag = 0 | 1

interface UsersTable {
  id: Generated<number>
  login: string
  login_key: string
  real_name: string
  real_name_key: string
  password_hash: string | null
  disabled_text: string
  email_enabled: Flag
  created_at: string
  last_seen_on: string | null
}

interface GroupsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  is_bug_group: Flag
  user_regexp: string
  is_active: Flag
  icon_url: string | null
  is_system: Flag
}

interface UserGroupGrantsTable {
  user_id: number
  group_id: number
  /** `member` or `bless`: is in the group, or may decide who is. */
  right: 'member' | 'bless'
  /** `direct` was given by a person, `regexp` follows from the group's user_regexp. */
  source: 'direct' | 'regexp'
}

interface GroupGrantsTable {
  /** Members of this group … */
  member_group_id: number
  /** … are members of, may bless, or may see this one. */
  group_id: number
  right: 'member' | 'bless' | 'see'
}

interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  digest: string
  description: string
  scopes: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

interface LoginTokensTable {
  id: Generated<number>
  user_id: number
  digest: string
  /** The only address it may be used from, or null for any. */
  address: string | null
  created_at: string
  last_used_at: string
}

interface LoginFailuresTable {
  id: Generated<number>
  login_key: string
  address: string
  at: string
}

interface ParametersTable {
  name: string
  value: string
}

interface AuditLogTable {
  id: Generated<number>
  user_id: number | null
  class: string
  object_id: number
  field: string
  removed: string | null
  added: string | null
  at: string
}

/** One row: counters that move in the transaction that changes what they stand for, so that caches know when they are stale. */
interface StateVersionsTable {
  id: number
  parameters: number
  groups: number
}

interface KeywordsTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
}
