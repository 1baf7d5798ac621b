import assert from 'node:assert/strict'
import type { World } from './world.ts'

/** A new user in these groups, and in no others that matter to a test. */
export async function newMember(world: World, ...groups: string[]) {
  const user = await world.newUser()
  const { status, text } = await world.ada.put(`/rest/user/${user.id}`, { groups: { add: groups } })
  assert.equal(status, 200, text)
  return user
}

/** A new user with editcomponents only in these products. */
export async function newAdministratorOf(world: World, ...products: string[]) {
  const group = await world.newGroup()
  for (const product of products) await setControl(world, product, group.name, { editcomponents: true })
  return newMember(world, group.name)
}

export async function setControl(world: World, product: string, group: string, controls: object) {
  const path = `/rest/product/${encodeURIComponent(product)}/group_control/${group}`
  const { status, text } = await world.ada.put(path, controls)
  assert.equal(status, 200, text)
}
