import { noteGroupsChanged, readSettings } from '../access/installation.ts'
import { createStandardFields } from '../catalogue/fields/create-standard-fields.ts'
import { createFirstProducts } from '../catalogue/products/first-products.ts'
import { createStandardWorkflow } from '../catalogue/workflow/standard-workflow.ts'
import { KEY_LENGTH, SCOPES } from '../people/api-keys/api-key.ts'
import { insertApiKey } from '../people/api-keys/api-key-store.ts'
import { grantDirectly } from '../people/group-grants.ts'
import { createGroup } from '../people/groups/create-group.ts'
import { findGroups, insertGroupGrant } from '../people/groups/group-store.ts'
import { createUser, hashOfNewPassword } from '../people/users/create-user.ts'
import type { Config } from '../platform/config/config.ts'
import { WrongSetting } from '../platform/config/config.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { ApiError } from '../platform/errors.ts'
import { randomWord } from '../platform/secrets/secrets.ts'
import { changeParameters } from './change-parameters.ts'
import type { GeneratedLogin } from './first-login.ts'
import { SYSTEM_GROUPS, SYSTEM_INHERITANCE } from './system-groups.ts'

/**
 * Ids of bugs start higher than those of users, flags and attachments, so that they are not confused in mail, logs and
 * links.
 */
const LAST_BEFORE_BUGS = 1000

const anyUser = statement<object>()((q) => q.selectFrom('users').select(['id', 'login']).limit(1))

/**
 * Fills an empty database: system groups, fields and their values, the workflow, the administrator, default parameters
 * and a first product. A database with users is left alone. `save` gets the generated credentials before the commit: if
 * it fails, nothing is created.
 */
export async function firstStart(
  db: Db,
  config: Config,
  save: (generated: GeneratedLogin) => void = () => {},
): Promise<GeneratedLogin> {
  return db.transaction(async (tx) => {
    if (await tx.first(anyUser, {})) return {}
    // The first classification and the first user have the id 1, also after a first start that failed.
    await tx.script(tx.dialect.idsBeginAtOne)
    await makeSystemGroups(tx)
    await createStandardFields(tx)
    await createStandardWorkflow(tx)
    const generated = await makeAdministrator(tx, config.admin)
    const administrator = await tx.first(anyUser, {})
    if (administrator) await createFirstProducts(tx, administrator)
    await tx.script(tx.dialect.idsBeginAfter('bugs', LAST_BEFORE_BUGS))
    save(generated)
    return generated
  }, 'migration')
}

async function makeSystemGroups(tx: ConfigurationTransaction) {
  const ids = new Map<string, number>()
  for (const { name, description, user_regexp = '' } of SYSTEM_GROUPS) {
    ids.set(
      name,
      await createGroup(tx, null, {
        name,
        description,
        user_regexp,
        is_active: 1,
        is_bug_group: 0,
        icon_url: null,
        is_system: 1,
      }),
    )
  }
  for (const { membersOf, areIn } of SYSTEM_INHERITANCE) {
    await insertGroupGrant(tx, {
      memberGroupId: ids.get(membersOf) as number,
      groupId: ids.get(areIn) as number,
      right: 'member',
    })
  }
  await noteGroupsChanged(tx)
}

async function makeAdministrator(tx: Db, config: Config['admin']): Promise<GeneratedLogin> {
  const login = config.login ?? 'admin@lacewing.local'
  const password = config.password ?? randomWord(20)
  const apiKey = config.apiKey ?? randomWord(KEY_LENGTH)
  const id = await namingTheSetting(async () => {
    const settings = await readSettings(tx)
    const passwordHash = await hashOfNewPassword(password, settings, login)
    return createUser(tx, settings, null, { email: login, fullName: 'Administrator', passwordHash })
  })
  const groups = await findGroups(tx, ['admin', 'editusers'])
  for (const group of groups.values())
    if (group) for (const right of ['member', 'bless'] as const) await grantDirectly(tx, id, group.id, right)
  await insertApiKey(tx, {
    userId: id,
    secret: apiKey,
    description: 'Created at the first start',
    scopes: SCOPES.join(','),
    expiresAt: null,
  })
  await changeParameters(tx, null, { maintainer: login })
  return { ...(!config.login && { login }), ...(!config.password && { password }), ...(!config.apiKey && { apiKey }) }
}

async function namingTheSetting(make: () => Promise<number>): Promise<number> {
  try {
    return await make()
  } catch (fault) {
    if (fault instanceof ApiError)
      throw new WrongSetting(
        `The administrator cannot be created from LACEWING_ADMIN_LOGIN and LACEWING_ADMIN_PASSWORD: ${fault.message}`,
      )
    throw fault
  }
}
