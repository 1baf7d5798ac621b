import { EVERY_SCOPE } from '../../../access/caller.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { digest } from '../../../platform/secrets/secrets.ts'
import { flagOf, type ImportContext, isId, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { StagedRow, Staging } from '../staging/staging.ts'
import { defaultForms, importMailChoices, importMailForms } from './import-mail-preferences.ts'
import type { PartOfUsers, UserLookup } from './user-lookup.ts'

/** What belongs to users besides their accounts, for the users of one part. */
const USERS_AT_ONCE = 500

/** Groups, mail preferences and the format of mail, by user. */
export async function membershipsStep(context: ImportContext, lookup: UserLookup, onPart: (id: number) => void) {
  const { journal, staging } = context
  const forms = defaultForms(context)
  await journal.step(
    'memberships',
    async (tx, after) => {
      const users = staging.all(
        `select userid from profiles where typeof(userid) = 'integer' and userid > ? order by userid limit ?`,
        after,
        USERS_AT_ONCE,
      )
      const last = positionIn(users.at(-1)?.userid)
      if (last === undefined) return 'done'
      const part = { after, last }
      await importMemberships(context, tx, lookup, part)
      await importMailChoices(context, tx, lookup, part)
      await importMailForms(context, tx, lookup, part, forms)
      return users.length < USERS_AT_ONCE ? 'done' : last
    },
    onPart,
  )
}

async function importMemberships(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  { after, last }: PartOfUsers,
) {
  const grants = new Map<string, NewRow<'user_group_grants'>>()
  const rows = staging.all('select * from user_group_map where user_id > ? and user_id <= ?', after, last)
  const isInherited = inheritanceOf(staging, rows)
  for (const row of rows) {
    const [user, group, grant] = [numberOf(row.user_id), numberOf(row.group_id), numberOf(row.grant_type) ?? 0]
    const key = `${stagedText(row.user_id)} in ${stagedText(row.group_id)}`
    if (user === undefined || group === undefined || !lookup.users.has(user) || !lookup.groups.has(group))
      journal.refuse('user_group_map', key, 'the user or the group does not exist', row)
    else if (grant === DERIVED && isInherited(user, group, flagOf(row.isbless)))
      journal.leftOut('user_group_map', 'inherited memberships are computed')
    else {
      const right = flagOf(row.isbless) === 1 ? 'bless' : 'member'
      if (grant === DERIVED)
        journal.note(
          'user_group_map',
          key,
          `no group that the user is in gives them this right (${right}); it is a direct one now`,
        )
      const source = grant === 2 && !lookup.groupsWithoutRegexp.has(group) ? 'regexp' : 'direct'
      const made = `${user} ${group} ${right} ${source}`
      if (grants.has(made)) journal.joined('user_group_map')
      else {
        grants.set(made, { user_id: user, group_id: group, right, source })
        journal.made('user_group_map')
      }
    }
  }
  await insertRows(tx, 'user_group_grants', [...grants.values()])
}

const DERIVED = 1

/** Whether a user gets a right by being in another group, as it is computed here: rows of old releases may say more. */
function inheritanceOf(staging: Staging, memberships: readonly StagedRow[]) {
  const grants = staging.all('select member_id, grantor_id, grant_type from group_group_map')
  const targets = (type: number) => {
    const ofType = grants.filter((row) => numberOf(row.grant_type) === type)
    return Map.groupBy(ofType, (row) => numberOf(row.member_id) ?? 0)
  }
  const [members, blessers] = [targets(0), targets(1)]
  const reached = new Map<number, Set<number>>()
  for (const row of memberships) {
    const [user, group] = [numberOf(row.user_id) ?? 0, numberOf(row.group_id) ?? 0]
    if (numberOf(row.grant_type) === DERIVED || flagOf(row.isbless) === 1) continue
    const own = reached.get(user) ?? new Set<number>()
    reached.set(user, own.add(group))
  }
  for (const groups of reached.values())
    for (const group of groups) for (const row of members.get(group) ?? []) groups.add(numberOf(row.grantor_id) ?? 0)
  return (user: number, group: number, isBless: 0 | 1) => {
    const groups = reached.get(user)
    if (isBless === 0) return groups?.has(group) === true
    return [...(groups ?? [])].some((own) => blessers.get(own)?.some((row) => numberOf(row.grantor_id) === group))
  }
}

/** The defaults of settings: those of the format of mail are used. */
function countSettings({ staging, journal }: ImportContext) {
  for (const { name } of staging.all('select name from setting'))
    if (name === 'email_format' || name === 'bugmail_new_prefix') journal.made('setting')
    else journal.leftOut('setting', 'these settings of the old pages do not exist here')
}

/** Watched users, and API keys, of which only digests are stored. */
export async function importWatchingAndKeys(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal, zone } = context
  countSettings(context)
  const watching = new Map<string, NewRow<'watched_users'>>()
  for (const row of staging.all('select * from watch')) {
    const [watcher, watched] = [numberOf(row.watcher) ?? 0, numberOf(row.watched) ?? 0]
    const key = `${watcher} → ${watched}`
    if (!lookup.users.has(watcher) || !lookup.users.has(watched) || watcher === watched)
      journal.refuse('watch', key, 'a user does not exist, or watches themselves', row)
    else if (watching.has(key)) journal.joined('watch')
    else {
      watching.set(key, { watcher_id: watcher, watched_id: watched })
      journal.made('watch')
    }
  }
  await insertRows(tx, 'watched_users', [...watching.values()])
  const keys = new Map<string, NewRow<'api_keys'>>()
  for (const row of staging.all('select * from user_api_keys order by id')) {
    const [id, user, secret] = [numberOf(row.id), numberOf(row.user_id) ?? 0, stagedText(row.api_key)]
    if (!isId(id) || !lookup.users.has(user) || secret === '' || keys.has(secret)) {
      journal.refuse('user_api_keys', stagedText(row.id), 'the user does not exist, or the key is empty or there twice')
      continue
    }
    const revokedAt = flagOf(row.revoked) === 1 ? journal.begunAt : null
    const lastUsed = zone.toUtc(stagedText(row.last_used)) ?? null
    if (lastUsed === null && row.last_used !== null)
      journal.note('user_api_keys', id, 'the time of its last use is impossible; it has none now')
    keys.set(secret, {
      id,
      user_id: user,
      digest: digest(secret),
      description: stagedText(row.description),
      scopes: [...EVERY_SCOPE].join(','),
      created_at: journal.begunAt,
      expires_at: null,
      revoked_at: revokedAt,
      last_used_at: lastUsed,
    })
    journal.made('user_api_keys')
  }
  await insertRows(tx, 'api_keys', [...keys.values()])
  return 'done'
}
