import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { newAccountsSince } from '../../access/new-account.ts'
import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { readListPage, requireNotNegative } from '../../platform/wire/list-page.ts'
import { flag, integer } from '../../platform/wire/params.ts'
import { MOST_ITEMS_OF_USER } from './activity-store.ts'
import { listNewAccounts } from './new-account-store.ts'

const MOST_ACCOUNTS = 200
const USUAL_ACCOUNTS = 50
const MOST_DAYS = 90
const USUAL_DAYS = 7
const DAY_SECONDS = 86_400
const Count = Type.Integer({ description: `At most ${MOST_ITEMS_OF_USER} are counted.` })

const NewAccount = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'Login name.' }),
    real_name: Type.String(),
    can_login: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
    is_limited: Type.Boolean({ description: 'Whether the limits for new accounts apply.' }),
    has_hidden: Type.Boolean({ description: 'Whether something that they wrote is hidden.' }),
    bugs: Count,
    comments: Count,
    attachments: Count,
  },
  { title: 'NewAccount', additionalProperties: false },
)

export const getNewAccounts = call({
  method: 'GET',
  path: '/admin/new_accounts',
  resource: 'activity',
  summary: 'List the accounts that were created lately, with how much each wrote.',
  about: `For members of admin. The youngest first; at most ${MOST_ACCOUNTS}, ${USUAL_ACCOUNTS} by default.`,
  params: {
    days: integer(`How many days to go back; at most ${MOST_DAYS}, ${USUAL_DAYS} by default.`),
    has_written: flag('Only accounts that wrote something, or only those that did not.'),
    limit: integer(`Maximum number of accounts; at most ${MOST_ACCOUNTS}.`),
    offset: integer('Number of accounts to skip.'),
  },
  answers: Type.Object({ total: Type.Integer(), accounts: Type.Array(NewAccount) }, { additionalProperties: false }),
  scope: 'admin',
  async run({ db, request, caller, groups, settings, params }) {
    requireGroup(caller, 'admin')
    const { days = USUAL_DAYS } = params
    requireNotNegative({ days })
    const { total, accounts } = await listNewAccounts(db.within(request.readLimits), {
      since: secondsAgo(Math.min(days, MOST_DAYS) * DAY_SECONDS),
      hasWritten: params.has_written,
      limitedSince: newAccountsSince(settings),
      unlimitedGroups: groupsOfAdministrators(groups),
      ...readListPage(params, { usual: USUAL_ACCOUNTS, most: MOST_ACCOUNTS }),
    })
    return {
      total,
      accounts: accounts.map((row) => ({
        id: row.id,
        name: row.login,
        real_name: row.real_name,
        can_login: row.disabled_text === '',
        created_at: row.created_at,
        is_limited: row.is_limited === 1,
        has_hidden: row.is_hidden === 1,
        bugs: Number(row.bugs),
        comments: Number(row.comments),
        attachments: Number(row.attachments),
      })),
    }
  },
})

function groupsOfAdministrators(groups: GroupGraph): ReadonlySet<number> {
  const admin = [...groups.groups.values()].find(({ name }) => name === 'admin')
  return admin === undefined ? new Set() : groups.sourcesOf(admin.id)
}
