import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newAdministratorOf, newMember } from './new-member.ts'
import { newHiddenProduct, newProduct } from './new-product.ts'
import { assertRefused } from './refusal.ts'
import type { World } from './world.ts'

/** The tests of who may change the versions or the milestones of a product. */
export function testWhoMayChange(world: World, kind: 'milestone' | 'version') {
  const writes = (product: string) =>
    [
      ['POST', `/rest/product/${product}/${kind}`, { name: 'new' }],
      ['PUT', `/rest/product/${product}/${kind}/new`, { is_active: false }],
      ['DELETE', `/rest/product/${product}/${kind}/new`, undefined],
    ] as const

  it('are members of editcomponents, everywhere or in the product', async () => {
    const { name: product } = await newProduct(world)
    const other = await newProduct(world)
    const administrator = await newAdministratorOf(world, product)
    const editor = await newMember(world, 'editcomponents')
    for (const [method, path, body] of writes(product)) {
      assertRefused(await world.nobody.send(method, path, body), 401, 410)
      for (const client of [world.stan, world.edna]) assertRefused(await client.send(method, path, body), 401, 304)
    }
    for (const [method, path, body] of writes(other.name))
      assertRefused(await administrator.client.send(method, path, body), 401, 304)
    for (const { client } of [administrator, editor])
      for (const [method, path, body] of writes(product)) {
        const reply = await client.send(method, path, body)
        assert.ok(reply.status < 300, reply.text)
      }
  })

  it('get the same error for hidden and for missing products', async () => {
    const hidden = await newHiddenProduct(world)
    const editor = await newMember(world, 'editcomponents')
    for (const ref of [hidden.name, 'NoSuch'])
      for (const [method, path, body] of writes(ref)) {
        assertRefused(await editor.client.send(method, path, body), 401, 106)
        assertRefused(await world.stan.send(method, path, body), 401, 304)
      }
  })
}
