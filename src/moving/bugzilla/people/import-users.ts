import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { giveNicks } from '../../../platform/database/give-nicks.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { isOldHash } from '../../../platform/secrets/old-passwords.ts'
import { fold } from '../../../platform/text/fold.ts'
import { LARGEST_ID } from '../../../platform/wire/reference.ts'
import { flagOf, type ImportContext, isId, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { StagedRow } from '../staging/staging.ts'
import { UniqueNames } from '../unique-names.ts'

const AT_ONCE = 2000

const logins = statement<object>()((q) => q.selectFrom('users').select('login'))

/** Users, some thousands in each part. */
export async function usersStep(context: ImportContext, onPart: (id: number) => void) {
  const { journal, staging, db } = context
  if (journal.isDone('users')) return
  const names = new UniqueNames((await db.all(logins, {})).map(({ login }) => login))
  const createdAt = accountCreationTimes(context)
  await journal.step(
    'users',
    async (tx, after) => {
      const rows = staging.all(
        `select * from profiles where typeof(userid) = 'integer' and userid > ? order by userid limit ?`,
        after,
        AT_ONCE,
      )
      const made = rows.map((row) => userFrom(context, row, names, createdAt)).filter((user) => user !== undefined)
      await insertRows(tx, 'users', made)
      await giveNicks(tx, made)
      journal.made('profiles', made.length)
      return rows.length < AT_ONCE ? 'done' : (positionIn(rows.at(-1)?.userid) as number)
    },
    onPart,
  )
}

type ImportedUser = NewRow<'users'> & { id: number }

const WITHOUT_REASON = 'This account was disabled before the move.'

function userFrom(
  { journal, zone }: ImportContext,
  row: StagedRow,
  names: UniqueNames,
  createdAt: ReadonlyMap<number, string>,
): ImportedUser | undefined {
  const id = numberOf(row.userid)
  if (!isId(id)) {
    journal.refuse('profiles', stagedText(row.userid), 'its number cannot be used', row)
    return undefined
  }
  const wanted = stagedText(row.login_name).trim()
  const login = names.take(wanted || `user-${id}@imported.invalid`, id)
  if (login !== stagedText(row.login_name)) journal.note('profiles', id, `the login name became ${login}`)
  const realName = stagedText(row.realname)
  const seen =
    zone.toUtc(stagedText(row.last_seen_date)) === undefined ? null : stagedText(row.last_seen_date).slice(0, 10)
  if (seen === null && row.last_seen_date !== null)
    journal.note(
      'profiles',
      id,
      `${JSON.stringify(stagedText(row.last_seen_date))} is not a day when the user was seen`,
    )
  const isDisabled = flagOf(row.is_enabled) === 0 || stagedText(row.disabledtext) !== ''
  if (isDisabled && stagedText(row.disabledtext) === '')
    journal.note('profiles', id, `it was disabled without a reason; the reason is now: ${WITHOUT_REASON}`)
  return {
    id,
    login,
    login_key: fold(login),
    real_name: realName,
    real_name_key: fold(realName),
    password_hash: passwordFrom(journal, id, row.cryptpassword === null ? '' : stagedText(row.cryptpassword)),
    disabled_text: isDisabled ? stagedText(row.disabledtext) || WITHOUT_REASON : '',
    email_enabled: flagOf(row.disable_mail) === 1 ? 0 : 1,
    created_at: createdAt.get(id) ?? zone.toUtc(stagedText(row.creation_ts)) ?? journal.begunAt,
    last_seen_on: seen,
  }
}

/** The old hash, which is checked and replaced at the next login. */
function passwordFrom(journal: ImportContext['journal'], id: number, stored: string): string | null {
  if (stored === '' || stored === '*') return null
  if (isOldHash(stored)) return `bugzilla$${stored}`
  journal.note('profiles', id, 'its password is stored in a way that cannot be checked: it needs a new one')
  return null
}

/** Only the log of accounts has it. */
function accountCreationTimes({ staging, zone }: ImportContext): Map<number, string> {
  const times = new Map<number, string>()
  for (const row of staging.iterate('select userid, min(profiles_when) as at from profiles_activity group by userid')) {
    const at = zone.toUtc(row.at)
    const id = numberOf(row.userid)
    if (at !== undefined && id !== undefined) times.set(id, at)
  }
  return times
}

/** The columns that must name a user. */
const REQUIRED: readonly (readonly [table: string, column: string])[] = [
  ['bugs', 'reporter'],
  ['bugs', 'assigned_to'],
  ['longdescs', 'who'],
  ['bugs_activity', 'who'],
  ['attachments', 'submitter_id'],
  ['flags', 'setter_id'],
  ['components', 'initialowner'],
]

/** Stands for users without a usable number. */
export const UNKNOWN_USER = 'unknown-user@imported.invalid'

/** Users who are gone although bugs still name them get a disabled account with their number. */
export async function importMissingUsers(context: ImportContext, tx: ConfigurationTransaction): Promise<'done'> {
  const { staging, journal } = context
  const references = REQUIRED.map(
    ([table, column]) => `select distinct ${column} as id, '${table}.${column}' as place from ${table}`,
  ).join(' union ')
  const missing = staging.all<{ id: number | null; places: string }>(
    `select id, group_concat(place, ', ') as places from (${references})
      where id not in (select userid from profiles) group by id order by id`,
  )
  const names = new UniqueNames((await tx.all(logins, {})).map(({ login }) => login))
  const made = (id: number, login: string) => ({
    ...{ id, login, login_key: login, real_name: '', real_name_key: '', password_hash: null },
    ...{ disabled_text: 'This user was deleted before the move.', email_enabled: 0 as const },
    ...{ created_at: journal.begunAt, last_seen_on: null },
  })
  const rows = missing.flatMap(({ id, places }) => {
    if (!isId(id ?? undefined)) return []
    const login = names.take(`user-${id}@imported.invalid`, id as number)
    journal.note('profiles', id as number, `created as ${login}: the user does not exist, but is named in ${places}`)
    return [made(id as number, login)]
  })
  const unusable = staging.first<{ places: string | null }>(
    `select group_concat(distinct place) as places from (${references})
      where typeof(id) <> 'integer' or id < 1 or id > ${LARGEST_ID}`,
  )?.places
  if (unusable) {
    const highest = staging.first<{ id: number }>(
      `select max(userid) as id from profiles where userid < ${LARGEST_ID}`,
    )?.id
    const id = Math.max(highest ?? 0, ...rows.map((row) => row.id)) + 1
    rows.push(made(id, UNKNOWN_USER))
    journal.note('profiles', id, `created as ${UNKNOWN_USER}: ${unusable} has rows without a usable number of a user`)
  }
  await insertRows(tx, 'users', rows)
  return 'done'
}
