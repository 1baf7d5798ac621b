import { readSettings } from '../../access/installation.ts'
import { grantDirectly } from '../../people/group-grants.ts'
import { findGroups } from '../../people/groups/group-store.ts'
import { createUser } from '../../people/users/create-user.ts'
import { WrongSetting } from '../../platform/config/config.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { changeParameters } from '../change-parameters.ts'
import type { SetupPlan } from './setup-plan.ts'

/** Sets the parameters and invites the people of the plan. It runs in the transaction of the first start: all of it, or nothing. */
export async function applySetup(tx: ConfigurationTransaction, administratorId: number, plan: SetupPlan) {
  await namingTheSetup(async () => {
    if (plan.parameters !== undefined) await changeParameters(tx, null, plan.parameters)
    const settings = await readSettings(tx)
    for (const { login, real_name = '', groups = [] } of plan.people ?? []) {
      const invited = { email: login, fullName: real_name, passwordHash: null }
      const id = await createUser(tx, settings, administratorId, invited)
      for (const [name, group] of await findGroups(tx, groups)) {
        if (group === undefined) throw new WrongSetting(`LACEWING_SETUP names the group ${name}, which does not exist.`)
        await grantDirectly(tx, id, group.id, 'member')
      }
    }
  })
}

export async function namingTheSetup<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    if (fault instanceof ApiError) throw new WrongSetting(`LACEWING_SETUP cannot be applied: ${fault.message}`)
    throw fault
  }
}
