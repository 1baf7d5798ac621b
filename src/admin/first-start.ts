import { EVERY_SCOPE } from '../access/caller.ts'
import { noteGroupsChanged, readSettings } from '../access/installation.ts'
import { createStandardFields } from '../catalogue/fields/create-standard-fields.ts'
import { createFirstProducts } from '../catalogue/products/first-products.ts'
import { createStandardWorkflow } from '../catalogue/workflow/standard-workflow.ts'
import { KEY_LENGTH } from '../people/api-keys/api-key.ts'
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
import { applySetup, namingTheSetup } from './setup/apply-setup.ts'
import type { SetupPlan } from './setup/setup-plan.ts'
import { insertSetupCode } from './setup/setup-store.ts'
import { CODE_LENGTH } from './setup/use-setup-code.ts'
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
    const plan = await plannedSetup(config)
    // The first classification and the first user have the id 1, also after a first start that failed.
    await tx.script(tx.dialect.idsBeginAtOne)
    await makeSystemGroups(tx)
    await createStandardFields(tx)
    await createStandardWorkflow(tx)
    const generated = await makeAdministrator(tx, config.admin, plan?.administrator)
    const administrator = await tx.first(anyUser, {})
    if (administrator) await namingTheSetup(() => createFirstProducts(tx, administrator, plan?.product))
    if (administrator && plan !== undefined) await applySetup(tx, administrator.id, plan)
    const isForPeople = plan === undefined && Object.values(config.admin).every((value) => value === undefined)
    if (isForPeople) generated.setupCode = await makeSetupCode(tx)
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

async function makeAdministrator(
  tx: Db,
  config: Config['admin'],
  planned: SetupPlan['administrator'] = {},
): Promise<GeneratedLogin> {
  const [setLogin, setPassword] = [config.login ?? planned.login, config.password ?? planned.password]
  const login = setLogin ?? 'admin@lacewing.local'
  const password = setPassword ?? randomWord(20)
  const apiKey = config.apiKey ?? randomWord(KEY_LENGTH)
  const id = await namingTheSetting(async () => {
    const settings = await readSettings(tx)
    const passwordHash = await hashOfNewPassword(password, settings, login)
    return createUser(tx, settings, null, {
      email: login,
      fullName: planned.real_name ?? 'Administrator',
      passwordHash,
    })
  })
  const groups = await findGroups(tx, ['admin', 'editusers'])
  for (const group of groups.values())
    if (group) for (const right of ['member', 'bless'] as const) await grantDirectly(tx, id, group.id, right)
  await insertApiKey(tx, {
    userId: id,
    secret: apiKey,
    description: 'Created at the first start',
    scopes: [...EVERY_SCOPE].join(','),
    expiresAt: null,
  })
  // Their default is for installations that were there before, and imported ones: theirs stay as they are.
  await changeParameters(tx, null, { maintainer: login, use_markdown: true })
  return { ...(!setLogin && { login }), ...(!setPassword && { password }), ...(!config.apiKey && { apiKey }) }
}

/** What checks it takes long to load, and other starts do not need it. */
async function plannedSetup({ setup }: Config): Promise<SetupPlan | undefined> {
  return setup === undefined ? undefined : (await import('./setup/setup-plan.ts')).readSetupPlan(setup)
}

/** The assistant is for people: who sets the administrator sets up the rest, too. */
async function makeSetupCode(tx: Db): Promise<string> {
  const code = randomWord(CODE_LENGTH)
  await insertSetupCode(tx, code)
  return code
}

async function namingTheSetting(make: () => Promise<number>): Promise<number> {
  try {
    return await make()
  } catch (fault) {
    if (fault instanceof ApiError)
      throw new WrongSetting(
        `The administrator cannot be created from LACEWING_ADMIN_LOGIN and LACEWING_ADMIN_PASSWORD, or from LACEWING_SETUP: ${fault.message}`,
      )
    throw fault
  }
}
