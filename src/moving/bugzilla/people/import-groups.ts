import { SYSTEM_GROUPS, SYSTEM_INHERITANCE } from '../../../admin/system-groups.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { faultInPattern } from '../../../platform/text/regexps.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import { UniqueNames } from '../unique-names.ts'

const RIGHTS = ['member', 'bless', 'see'] as const

/** Groups with their numbers, the system groups that the old installation lacks, and what groups get from one another. */
export async function importGroups({ staging, journal }: ImportContext, tx: ConfigurationTransaction): Promise<'done'> {
  const names = new UniqueNames()
  const ids = new Map<string, number>()
  const isSystem = new Set(SYSTEM_GROUPS.map(({ name }) => name))
  const rows: NewRow<'groups'>[] = []
  for (const row of staging.all('select * from groups order by id')) {
    const id = numberOf(row.id)
    if (!isId(id)) {
      journal.refuse('groups', stagedText(row.id), 'its number cannot be used', row)
      continue
    }
    const name = names.take(stagedText(row.name) || `group-${id}`, id)
    if (name !== stagedText(row.name))
      journal.note('groups', id, `renamed to ${name}, because its name was empty or taken`)
    const pattern = stagedText(row.userregexp)
    const fault = pattern === '' ? undefined : faultInPattern(pattern)
    if (fault !== undefined)
      journal.note(
        'groups',
        id,
        `its user_regexp ${JSON.stringify(pattern)} cannot be used here (${fault}); its members stay`,
      )
    ids.set(name, id)
    rows.push({
      id,
      name,
      name_key: fold(name),
      description: stagedText(row.description),
      is_bug_group: flagOf(row.isbuggroup),
      user_regexp: fault === undefined ? pattern : '',
      is_active: flagOf(row.isactive),
      icon_url: row.icon_url === null || row.icon_url === '' ? null : stagedText(row.icon_url),
      is_system: isSystem.has(name) ? 1 : 0,
    })
  }
  journal.made('groups', rows.length)
  for (const id of goneGroups(staging)) {
    const name = names.take(`missing-group-${id}`, id)
    ids.set(name, id)
    const description = 'It was deleted before the move.'
    const restricts = { is_bug_group: 1, is_active: 0, is_system: 0 } as const
    rows.push({ id, name, name_key: fold(name), description, user_regexp: '', icon_url: null, ...restricts })
    journal.note('groups', id, `created as ${name}: it does not exist, but bugs or products are restricted to it`)
  }
  const missing = SYSTEM_GROUPS.filter(({ name }) => !ids.has(name))
  let next = Math.max(0, ...ids.values())
  for (const { name, description } of missing) {
    ids.set(name, ++next)
    const system = { is_bug_group: 0, is_active: 1, is_system: 1 } as const
    rows.push({ id: next, name, name_key: fold(name), description, user_regexp: '', icon_url: null, ...system })
    journal.note('groups', next, `created: the system group ${name} was missing`)
  }
  await insertRows(tx, 'groups', rows)
  await importGrants({ staging, journal }, tx, ids, new Set(missing.map(({ name }) => name)))
  return 'done'
}

/** Without these groups, what was hidden from everyone would be public. */
function goneGroups(staging: ImportContext['staging']): number[] {
  const gone = staging.all<{ id: number | null }>(
    `select group_id as id from (select group_id from bug_group_map union select group_id from group_control_map)
      where group_id not in (select id from groups) order by 1`,
  )
  return gone.flatMap(({ id }) => (isId(id ?? undefined) ? [id as number] : []))
}

async function importGrants(
  { staging, journal }: Pick<ImportContext, 'staging' | 'journal'>,
  tx: ConfigurationTransaction,
  ids: ReadonlyMap<string, number>,
  missing: ReadonlySet<string>,
) {
  const known = new Set(ids.values())
  const grants = new Map<string, NewRow<'group_grants'>>()
  const add = (member: number, group: number, right: (typeof RIGHTS)[number]) => {
    const key = `${member} ${group} ${right}`
    if (grants.has(key)) return false
    grants.set(key, { member_group_id: member, group_id: group, right })
    return true
  }
  for (const row of staging.all('select * from group_group_map')) {
    const [member, group] = [numberOf(row.member_id), numberOf(row.grantor_id)]
    const right = RIGHTS[numberOf(row.grant_type) ?? -1]
    const key = `${stagedText(row.member_id)} → ${stagedText(row.grantor_id)}`
    if (member === undefined || group === undefined || !known.has(member) || !known.has(group) || right === undefined)
      journal.refuse('group_group_map', key, 'a group does not exist, or the kind of grant is unknown', row)
    else if (add(member, group, right)) journal.made('group_group_map')
    else journal.joined('group_group_map')
  }
  const admin = ids.get('admin') as number
  for (const name of missing)
    if (name !== 'admin') for (const right of ['member', 'bless'] as const) add(admin, ids.get(name) as number, right)
  for (const { membersOf, areIn } of SYSTEM_INHERITANCE)
    if (missing.has(membersOf) || missing.has(areIn))
      add(ids.get(membersOf) as number, ids.get(areIn) as number, 'member')
  await insertRows(tx, 'group_grants', [...grants.values()])
}
