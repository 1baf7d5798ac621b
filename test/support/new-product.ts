import assert from 'node:assert/strict'
import { cast } from './cast.ts'
import type { World } from './world.ts'

export interface NewProduct {
  id: number
  name: string
}

/** A product with its own name, a version `1.0`, a milestone `---` and these components. */
export async function newProduct(world: World, components: readonly string[] = ['Core']): Promise<NewProduct> {
  const name = world.unique('Product')
  const made = await world.ada.post('/rest/product', { name, description: 'For a test', version: '1.0' })
  assert.equal(made.status, 201, made.text)
  for (const component of components) {
    const part = { product: name, name: component, description: 'A part', default_assignee: cast.ada.login }
    assert.equal((await world.ada.post('/rest/component', part)).status, 201)
  }
  return { id: made.body.id, name }
}

/** The same, visible only to members of security and administrators. */
export async function newHiddenProduct(world: World, components?: readonly string[]): Promise<NewProduct> {
  const product = await newProduct(world, components)
  const controls = { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' }
  const { status, text } = await world.ada.put(`/rest/product/${product.name}/group_control/security`, controls)
  assert.equal(status, 200, text)
  return product
}
