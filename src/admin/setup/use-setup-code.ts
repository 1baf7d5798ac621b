import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { countAttempt, forgetFailures } from '../../access/authentication/lockout.ts'
import { networkOf } from '../../access/authentication/real-address.ts'
import { CREATED } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { findSetupCode, useSetupCode } from './setup-store.ts'

const LONGEST_SECONDS = 7 * 86_400
export const CODE_LENGTH = 24
/** No login name begins with a space. */
const ATTEMPTS_KEY = ' setup'
/** No code has it. */
const NO_DIGEST = digest(randomWord(CODE_LENGTH))

/** The only account, while nobody has used the installation: without a second factor, and not disabled. */
const unusedAdministrator = statement<object>()((q) =>
  q
    .selectFrom('users')
    .select(['id', 'login'])
    .where('disabled_text', '=', '')
    .where('has_factor', '=', 0)
    .where(sql<boolean>`not exists (select 1 from bugs)`)
    .where(sql<boolean>`not exists (select 1 from users as other where other.id <> users.id)`)
    // A new password or address ends sessions and links, and so it ends the code.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit_log')
            .select('audit_log.id')
            .where('class', '=', 'User')
            .whereRef('object_id', '=', 'users.id')
            .where('field', '<>', CREATED),
        ),
      ),
    ),
)

/**
 * Uses the code of the first start up, and returns the administrator whom it logs in. It works once, for a week, and only while there is no
 * bug, no other account, no second factor and no change of the account: then the password is the only way. Whether there is a code at all does not show.
 */
export async function administratorFor(db: Db, code: string, address: string): Promise<{ id: number; login: string }> {
  const attempt = { loginKey: ATTEMPTS_KEY, address: networkOf(address) }
  await countAttempt(db, attempt)
  const stored = await findSetupCode(db)
  const administrator = await db.first(unusedAdministrator, {})
  const isRight = timingSafeEqual(Buffer.from(digest(code)), Buffer.from(stored?.digest ?? NO_DIGEST))
  const isCurrent = stored !== undefined && stored.madeAt >= secondsAgo(LONGEST_SECONDS)
  if (!isRight || !isCurrent || administrator === undefined || !(await useSetupCode(db, stored)))
    throw errors.bad_value({
      name: 'code',
      value: '…',
      right: 'it must be the code that the first start has shown; it works once, and not after the tracker was used',
    })
  await forgetFailures(db, attempt)
  return administrator
}
