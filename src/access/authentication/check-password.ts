import { onlyProviderFor } from '../../platform/config/sign-in-providers.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import { isIn } from '../caller.ts'
import { VERSION_COLUMNS } from '../installation.ts'
import {
  ACCOUNT_COLUMNS,
  type AuthenticatedRequest,
  type Authenticator,
  authenticatedRequest,
  callerFrom,
  MEMBER_GROUPS,
  type RequestOrigin,
  UNLIMITED,
} from './authenticated-request.ts'
import { networkOf } from './real-address.ts'

const accountOf = statement<{ loginKey: string }>()((q, p, d) =>
  q
    .selectFrom('state_versions')
    .leftJoin('users', (join) => join.on('users.login_key', '=', p.loginKey))
    .select(VERSION_COLUMNS)
    .select([...ACCOUNT_COLUMNS, 'users.password_hash', 'users.has_factor'])
    .select(d.jsonListOf(MEMBER_GROUPS).as('group_ids')),
)

export interface PasswordCredentials {
  login: string
  password: string
  /** In place of the network, whose failures are counted otherwise; see known-device.ts. */
  countedAs?: string | undefined
}

/** The caller with this login and password, and whether the account also has a second factor, which is not checked here. */
export async function checkPassword(
  authenticator: Authenticator,
  { login, password, countedAs }: PasswordCredentials,
  origin: RequestOrigin,
): Promise<AuthenticatedRequest & { hasFactor: boolean }> {
  const loginKey = fold(login.trim())
  const row = await authenticator.db.first(accountOf, { loginKey })
  if (!row) throw new Error('The row of state_versions is missing')
  const hasFactor = row.has_factor === 1
  const request = await authenticatedRequest(authenticator, row, origin, async (groups, address, settings) => {
    const attempt = { loginKey: shortKey(loginKey), address: countedAs ?? networkOf(address) }
    const isKnown = countedAs !== undefined
    await authenticator.passwords.requireRight({ attempt, password, stored: row.password_hash, address, isKnown }, () =>
      authenticator.rateLimit.requireRoom(address, settings),
    )
    if (row.disabled_text) throw errors.account_disabled({ reason: row.disabled_text })
    const provider = onlyProviderFor(settings.sign_in_providers, `${row.login ?? ''}${settings.emailsuffix}`)
    if (provider !== undefined) throw errors.provider_only({ title: provider.title })
    const caller = callerFrom(authenticator, groups, row, { source: 'password', ...UNLIMITED })
    return { ...caller, mustAddFactor: !hasFactor && isIn(caller, settings.factor_group) }
  })
  return { ...request, hasFactor }
}

/**
 * A login name has at most 127 characters. An attempt with a longer one is counted, but its name is not stored whole.
 */
function shortKey(loginKey: string) {
  return loginKey.length <= 127 ? loginKey : digest(loginKey)
}
