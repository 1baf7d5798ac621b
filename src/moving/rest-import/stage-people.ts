import { fold } from '../../platform/text/fold.ts'
import { type Json, listIn } from '../rest-client/rest-server.ts'
import type { FetchStore } from './fetch-store.ts'
import { componentsIn, detailsIn, namesIn } from './people-in-bugs.ts'
import {
  type JsonObject,
  propertyOf,
  restNumber,
  restObjects,
  restText,
  restTexts,
  restYes,
  restYesByDefault,
} from './rest-values.ts'
import type { StagingWriter } from './staging-writer.ts'

/** The numbers of users and groups by name. */
export interface PeopleNumbers {
  /** A name that the source shows without a number has got one. */
  userOf(name: Json | undefined): number
  userOrNone(name: Json | undefined): number | null
  groupOf(name: string): number
  /** The user whose key was used; undefined if it is not known. */
  readonly keyOwner: number | undefined
}

const LARGEST_ID = 2_147_483_647
const UNKNOWN = 'unknown@imported.invalid'

/** Users and groups as far as the source shows them, with who is in which group. */
export function stagePeople(
  store: FetchStore,
  writer: StagingWriter,
  parameters: Readonly<Record<string, string>>,
): PeopleNumbers {
  writer.sourceTable('profiles')
  writer.sourceTable('groups')
  writer.sourceTable('user_group_map')
  const users = usersIn(store)
  const byName = new Map<string, number>()
  for (const [id, user] of users) if (!byName.has(fold(nameOf(user)))) byName.set(fold(nameOf(user)), id)
  let last = Math.max(0, ...users.keys())
  const addUnknown = (name: string, note: string) => {
    users.set(++last, { name })
    byName.set(fold(name), last)
    writer.note('profiles', last, note)
  }
  for (const name of namesIn(store))
    if (!byName.has(fold(name)))
      addUnknown(name, `${name}: the source does not show the number of this user; it is a new one`)
  for (const [id, user] of users) stageUser(writer, id, user)
  const groups = stageGroups(store, writer, users, parameters)
  const userOrNone = (name: Json | undefined) => byName.get(fold(restText(name).trim())) ?? null
  const unknownUser = () => {
    const known = byName.get(UNKNOWN)
    if (known !== undefined) return known
    addUnknown(UNKNOWN, 'stands for users that the source does not name')
    stageUser(writer, last, { name: UNKNOWN, can_login: false })
    return last
  }
  const whoami = store.answer('whoami')
  return {
    userOrNone,
    userOf: (name) => userOrNone(name) ?? unknownUser(),
    groupOf: groups,
    keyOwner: restNumber(propertyOf(whoami, 'id')),
  }
}

function stageUser(writer: StagingWriter, id: number, user: JsonObject) {
  writer.row('profiles', {
    userid: id,
    login_name: nameOf(user),
    realname: restText(user.real_name),
    disabledtext: restText(user.login_denied_text),
    disable_mail: restYesByDefault(user.email_enabled) === 1 ? 0 : 1,
    is_enabled: restYesByDefault(user.can_login),
  })
}

/** By number: from answers about users, members of groups, and what bugs show. */
function usersIn(store: FetchStore): Map<number, JsonObject> {
  const users = new Map<number, JsonObject>()
  const add = (user: JsonObject) => {
    const id = restNumber(user.id)
    if (id === undefined || id <= 0 || id >= LARGEST_ID - 1_000_000 || nameOf(user) === '') return
    users.set(id, { ...user, ...users.get(id) })
  }
  for (const body of store.answersTo('user?')) restObjects(listIn(body, 'users')).forEach(add)
  for (const group of groupsIn(store)) restObjects(group.membership).forEach(add)
  for (const { bug } of store.bugs()) if (bug !== undefined) detailsIn(bug).forEach(add)
  return new Map([...users].sort(([one], [other]) => one - other))
}

function nameOf(user: JsonObject) {
  return restText(user.name).trim()
}

function groupsIn(store: FetchStore) {
  return restObjects(listIn(store.answer('group?membership=1'), 'groups'))
}

const GROUP_PARAMETERS = ['insidergroup', 'timetrackinggroup', 'querysharegroup', 'comment_taggers_group', 'chartgroup']

/** Groups that restrict bugs are created also if only their names are known: a restriction is never lost. */
function stageGroups(
  store: FetchStore,
  writer: StagingWriter,
  users: ReadonlyMap<number, JsonObject>,
  parameters: Readonly<Record<string, string>>,
): (name: string) => number {
  const groups = new Map<number, JsonObject>()
  const byName = new Map<string, number>()
  const members = new Map<string, [number, number]>()
  const add = (group: JsonObject) => {
    const [id, name] = [restNumber(group.id), restText(group.name).trim()]
    if (id === undefined || id <= 0 || id >= LARGEST_ID - 100_000 || name === '') return
    groups.set(id, { ...group, ...groups.get(id) })
    if (!byName.has(fold(name))) byName.set(fold(name), id)
  }
  for (const group of groupsIn(store)) {
    add(group)
    for (const user of restObjects(group.membership)) addMember(members, restNumber(user.id), restNumber(group.id))
  }
  for (const [id, user] of users)
    for (const group of restObjects(user.groups)) {
      add(group)
      addMember(members, id, restNumber(group.id))
    }
  for (const type of componentsIn(store).flatMap((it) => flagTypesOf(it)))
    for (const id of [restNumber(type.grant_group), restNumber(type.request_group)])
      if (id !== undefined && id > 0 && !groups.has(id))
        add({ id, name: `group-${id}`, description: 'The source does not show its name.' })
  let last = Math.max(0, ...groups.keys())
  const ofBugs = new Set<string>()
  for (const { bug } of store.bugs())
    for (const name of restTexts(propertyOf(bug?.bug, 'groups'))) ofBugs.add(name.trim())
  for (const name of [...ofBugs, ...GROUP_PARAMETERS.map((it) => parameters[it] ?? '')]) {
    if (name === '' || byName.has(fold(name))) continue
    add({ id: ++last, name, is_bug_group: ofBugs.has(name), description: 'The source does not show its members.' })
    writer.note('groups', last, `${name}: the source does not show the number and the members of this group`)
  }
  const restricting = new Set([...ofBugs].map((name) => byName.get(fold(name))))
  for (const [id, group] of groups)
    writer.row('groups', {
      id,
      name: restText(group.name).trim(),
      description: restText(group.description),
      isbuggroup: restricting.has(id) ? 1 : restYes(group.is_bug_group),
      userregexp: restText(group.user_regexp),
      isactive: restYesByDefault(group.is_active),
    })
  for (const [user, group] of members.values())
    writer.row('user_group_map', { user_id: user, group_id: group, isbless: 0, grant_type: 0 })
  return (name) => byName.get(fold(name.trim())) ?? 0
}

function addMember(members: Map<string, [number, number]>, user: number | undefined, group: number | undefined) {
  if (user !== undefined && group !== undefined) members.set(`${user} ${group}`, [user, group])
}

/** The flag types of a component, of bugs and of attachments. */
export function flagTypesOf(component: JsonObject): JsonObject[] {
  const types = propertyOf(component, 'flag_types')
  return ['bug', 'attachment'].flatMap((target) =>
    restObjects(propertyOf(types, target)).map((type) => ({ ...type, target })),
  )
}
