import { sql } from 'kysely'
import { noteCredentialsEnded } from '../../access/live-credential.ts'
import type { Db } from '../../platform/database/db.ts'
import { giveNicks } from '../../platform/database/give-nicks.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import type { User } from './user.ts'

/** A user, and the ids of the groups that the user is directly in, as JSON text. */
export interface UserRow extends User {
  /** When the user created the account themselves; not read everywhere. */
  joined_at?: string | null
  group_ids: string
}

const COLUMNS = [
  'users.id',
  'users.login',
  'users.real_name',
  'users.nick',
  'users.disabled_text',
  'users.email_enabled',
  'users.joined_at',
] as const
const memberGroups = sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`

const byIds = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(COLUMNS)
    .select(d.jsonListOf(memberGroups).as('group_ids'))
    .where('users.id', 'in', d.integersIn(p.ids)),
)
const byLogin = statement<{ key: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(COLUMNS)
    .select(d.jsonListOf(memberGroups).as('group_ids'))
    .where('login_key', '=', p.key),
)
const byLogins = statement<{ keys: string }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select(COLUMNS)
    .select(d.jsonListOf(memberGroups).as('group_ids'))
    .where('login_key', 'in', d.textsIn(p.keys)),
)

export function listUsersByIds(db: Db, ids: readonly number[]): Promise<UserRow[]> {
  return db.all(byIds, { ids: JSON.stringify(ids) })
}

export async function findUserByLogin(db: Db, login: string): Promise<UserRow | undefined> {
  const key = fold(login.trim())
  return db.firstCached(byLogin, key, { key })
}

/**
 * The users with these login names, in the order of the names. Throws 51 for the first name that is unknown or hidden.
 */
export async function getUsersByLogins(
  db: Db,
  logins: readonly string[],
  isVisible: (user: UserRow) => boolean = () => true,
): Promise<UserRow[]> {
  const [only] = logins
  const rows =
    logins.length === 1 && only !== undefined ? [await findUserByLogin(db, only)] : await listUsersByLogins(db, logins)
  const byKey = new Map(rows.flatMap((row) => (row && isVisible(row) ? [[fold(row.login), row]] : [])))
  return logins.map((login) => byKey.get(fold(login.trim())) ?? noSuchUser(login))
}

export function listUsersByLogins(db: Db, logins: readonly string[]): Promise<UserRow[]> {
  return db.all(byLogins, { keys: JSON.stringify(logins.map((login) => fold(login.trim()))) })
}

export function noSuchUser(ref: string): never {
  throw errors.no_such_object({ what: 'user', ref })
}

const insert = statement<{
  login: string
  key: string
  realName: string
  realNameKey: string
  hash: string | null
  at: string
}>()((q, p) =>
  q
    .insertInto('users')
    .values({
      login: p.login,
      login_key: p.key,
      real_name: p.realName,
      real_name_key: p.realNameKey,
      password_hash: p.hash,
      disabled_text: '',
      email_enabled: 1,
      created_at: p.at,
    })
    .returning('id'),
)

export interface NewUser {
  login: string
  realName: string
  passwordHash: string | null
  at: string
}

export async function insertUser(tx: Db, user: NewUser): Promise<number> {
  const { login, realName, passwordHash, at } = user
  const values = { login, key: fold(login), realName, realNameKey: fold(realName), hash: passwordHash, at }
  const row = await onUniqueViolation(
    tx,
    () => errors.account_exists({ login }),
    () => tx.first(insert, values),
  )
  const id = row?.id as number
  await giveNicks(tx, [{ id, real_name: realName }])
  return id
}

const update = statement<Omit<User, 'nick'> & { login_key: string; real_name_key: string }>()((q, p) =>
  q
    .updateTable('users')
    .set({
      login: p.login,
      login_key: p.login_key,
      real_name: p.real_name,
      real_name_key: p.real_name_key,
      disabled_text: p.disabled_text,
      email_enabled: p.email_enabled,
    })
    .where('id', '=', p.id),
)

/** Saves all but the nick. */
export async function updateUser(tx: Db, { nick: _, ...user }: User) {
  await onUniqueViolation(
    tx,
    () => errors.account_exists({ login: user.login }),
    () => tx.all(update, { ...user, login_key: fold(user.login), real_name_key: fold(user.real_name) }),
  )
}

const setPassword = statement<{ id: number; hash: string | null }>()((q, p) =>
  q.updateTable('users').set({ password_hash: p.hash }).where('id', '=', p.id),
)

export async function updatePassword(tx: Db, id: number, hash: string | null) {
  await tx.all(setPassword, { id, hash })
}

const enabled = statement<{ id: number }>()((q, p, d) =>
  q
    .selectFrom('users')
    .select('id')
    .where('id', '=', p.id)
    .where('disabled_text', '=', '')
    .modifyEnd(d.lockedBesideReferences()),
)

/**
 * Locks the user until the transaction ends, so that what is written for them is not left behind when the account is made anonymous at the
 * same time. Throws 301 if the account is disabled.
 */
export async function lockEnabledUser(tx: Db, id: number) {
  if ((await tx.first(enabled, { id })) === undefined)
    throw errors.account_disabled({ reason: 'ask the administrator.' })
}

const anyUser = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

export async function lockUser(tx: Db, id: number) {
  await tx.first(anyUser, { id })
}

const hashOf = statement<{ id: number }>()((q, p) =>
  q.selectFrom('users').select('password_hash').where('id', '=', p.id),
)

export async function passwordHashOf(db: Db, id: number): Promise<string | null> {
  return (await db.first(hashOf, { id }))?.password_hash ?? null
}

const factorOf = statement<{ id: number }>()((q, p) =>
  q.selectFrom('users').select('has_factor').where('id', '=', p.id),
)

/** Whether the user has a second factor. */
export async function hasFactor(db: Db, id: number): Promise<boolean> {
  return (await db.first(factorOf, { id }))?.has_factor === 1
}

const deleteTokens = statement<{ userId: number; kept: string }>()((q, p) =>
  q.deleteFrom('login_tokens').where('user_id', '=', p.userId).where('digest', '!=', p.kept),
)

/** Ends all sessions of the user, except the one with `keptToken`. */
export async function deleteTokensOf(tx: Db, userId: number, keptToken?: string) {
  await tx.all(deleteTokens, { userId, kept: keptToken === undefined ? '' : digest(keptToken) })
  await noteCredentialsEnded(tx)
}

const setJoined = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('users').set({ joined_at: p.at }).where('id', '=', p.id),
)

/** The user created the account themselves. */
export async function noteJoined(tx: Db, id: number, at: string) {
  await tx.all(setJoined, { id, at })
}
