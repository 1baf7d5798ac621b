import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnSqlite } from '../../../test/support/world.ts'
import { FamiliarNetworks } from './familiar-networks.ts'

describeOnSqlite('networks from which users have logged in', (world) => {
  const after = async (...logIns: (readonly [account: string, network: string])[]) => {
    const networks = new FamiliarNetworks(world.db)
    await networks.has('any')
    for (const [account, network] of logIns) networks.note(account, network)
    return async (...names: string[]) => {
      const known = await Promise.all(names.map((name) => networks.has(name)))
      return names.filter((_, place) => known[place])
    }
  }
  const ann = (...networks: string[]) => networks.map((network) => ['ann', network] as const)

  it('are the last five of an account, each once', async () => {
    const known = await after(...ann('a', 'b', 'c', 'd', 'e', 'f'))
    assert.deepEqual(await known('a', 'b', 'c', 'd', 'e', 'f'), ['b', 'c', 'd', 'e', 'f'])
    const again = await after(...ann('a', 'b', 'c', 'd', 'e', 'c', 'c', 'e', 'd'))
    assert.deepEqual(await again('a', 'b', 'c', 'd', 'e'), ['a', 'b', 'c', 'd', 'e'])
  })

  it('stay familiar as long as one account knows them', async () => {
    const known = await after(['bob', 'a'], ...ann('a', 'b', 'c', 'd', 'e', 'f'))
    assert.deepEqual(await known('a', 'b'), ['a', 'b'])
  })

  it('are those of the last 10,000 accounts, whatever others know', async () => {
    const others = Array.from({ length: 10_000 }, (_, place) => [`user ${place}`, `network ${place}`] as const)
    const full = await after(...others)
    assert.deepEqual(await full('network 0', 'network 9999'), ['network 0', 'network 9999'])
    const more = await after(...ann('a', 'b'), ...others)
    assert.deepEqual(await more('a', 'b', 'network 0', 'network 9999'), ['network 0', 'network 9999'])
  })
})
