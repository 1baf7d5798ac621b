import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'

export type Group = Answer<'GET /group'>['groups'][number]
export type Uses = Answer<'GET /group/:ref/uses'>
export type Members = Answer<'GET /group/:ref/members'>
export type Member = Members['members'][number]

/** What the page of a group shows. */
export interface GroupState {
  group: Group
  uses: Uses
  members: Members
  /** Names of all groups. */
  names: readonly string[]
}

/** The groups whose members belong to a group, may choose its members, or may see them. */
export const LISTS = ['member_groups', 'bless_groups', 'visible_groups'] as const
export type GrantList = (typeof LISTS)[number]

export const MEMBERS_AT_ONCE = 100
/** Members of admin are in every group, and no list changes that. */
const EVERYWHERE = 'admin'

export function usesCall(ref: string | number) {
  return addressOf('/group/:ref/uses', { ref })
}

export async function loadGroup(name: string): Promise<GroupState> {
  const { groups: all } = await get(addressOf('/group', { include_fields: '_default,icon_url' }))
  const group = all.find((it) => it.name.toLowerCase() === name.toLowerCase())
  if (group === undefined) throw new Error(`There is no group “${name}”, or no longer under this name.`)
  const [uses, members] = await Promise.all([
    get(usesCall(group.id)),
    get(addressOf('/group/:ref/members', { ref: group.id, limit: MEMBERS_AT_ONCE })),
  ])
  return { group, uses, members, names: all.map((it) => it.name) }
}

/** A group of which the reader may choose the members, and no more. */
export async function loadBlessedGroup(name: string): Promise<Pick<GroupState, 'group' | 'members'>> {
  const { groups } = await get(addressOf('/group'))
  const group = groups.find((it) => it.name.toLowerCase() === name.toLowerCase())
  if (group === undefined) throw new Error(`There is no group “${name}” whose members you choose.`)
  return { group, members: await get(addressOf('/group/:ref/members', { ref: group.id, limit: MEMBERS_AT_ONCE })) }
}

export function listOf({ uses }: Pick<GroupState, 'uses'>, list: GrantList): string[] {
  return uses[list].map(({ name }) => name).filter((name) => name !== EVERYWHERE)
}

const TEXTS = ['name', 'description', 'user_regexp', 'icon_url'] as const
export type GroupText = (typeof TEXTS)[number]

/** Every value that can be changed, by the key of its change. */
export function valuesOf(state: GroupState): Map<string, string> {
  const { group } = state
  const values = new Map<string, string>(TEXTS.map((name) => [name, group[name] ?? '']))
  values.set('is_active', group.is_active ? 'yes' : 'no')
  for (const list of LISTS) values.set(list, listOf(state, list).join(', '))
  return values
}

const MOST_STEPS = 50

/** The way from a group to another that its members belong to, in several steps if need be; undefined if there is none. */
export async function pathBetween(from: string, to: string): Promise<string[] | undefined> {
  const paths = [[from]]
  const seen = new Set([from])
  for (let step = 0; step < MOST_STEPS; step++) {
    const path = paths.shift()
    const last = path?.at(-1)
    if (path === undefined || last === undefined) return undefined
    if (last === to) return path
    const { belongs_to } = await get(usesCall(last))
    for (const { name } of belongs_to) {
      if (seen.has(name)) continue
      seen.add(name)
      paths.push([...path, name])
    }
  }
  return undefined
}

export function people(count: number) {
  return count === 1 ? '1 person' : `${count} people`
}

export function groupAddress(name: string) {
  return `/admin/groups/${encodeURIComponent(name)}`
}
