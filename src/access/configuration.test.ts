import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnEachEngine } from '../../test/support/world.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { anonymous, type Caller } from './caller.ts'
import { type CataloguePart, Installation, readStateVersions, type StateVersions } from './installation.ts'
import { makeInstallationSecrets, readSecret } from './installation-secrets.ts'
import { writeBugs } from './write-bugs.ts'

const withCode = (code: number) => (fault: unknown) => fault instanceof ApiError && fault.code === code

/** Part of a catalogue that says how often, and through what, it was read. */
function countedPart() {
  const read: Db[] = []
  const part: CataloguePart<number> = {
    read: async (db) => {
      read.push(db)
      return read.length
    },
  }
  return { part, read }
}

describeOnEachEngine('the configuration', (world) => {
  const COUNTERS = ['parameters_version', 'groups_version', 'catalogue_version'] as const

  it('is read once, and again when its own counter has moved', async () => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const { part, read } = countedPart()
    const readAt = async (at: StateVersions) => ({
      parameters_version: await installation.settingsAt(at),
      groups_version: await installation.groupsAt(at),
      catalogue_version: await installation.catalogueAt(at)(part),
    })
    let before = await readAt(versions)
    assert.deepEqual(
      Object.values(await readAt(versions)).map((it, at) => it === Object.values(before)[at]),
      [true, true, true],
    )
    assert.equal(read.length, 1)
    let moved = versions
    for (const counter of COUNTERS) {
      moved = { ...moved, [counter]: moved[counter] + 1 }
      const now = await readAt(moved)
      for (const other of COUNTERS) assert.equal(now[other] === before[other], other !== counter, `${counter} ${other}`)
      before = now
    }
  })

  it('that a transaction reads is for others only when it has committed', async () => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const { part, read } = countedPart()
    const keep = await world.db.transaction(async (tx) => {
      const within = installation.catalogueWithin(tx, versions)
      assert.deepEqual([await within.catalogue(part), await within.catalogue(part)], [1, 1])
      assert.deepEqual(read, [tx])
      return within.keep
    })
    assert.equal(await installation.catalogueAt(versions)(part), 2)
    keep()
    assert.equal(await installation.catalogueAt(versions)(part), 1)
    const later = { ...versions, catalogue_version: versions.catalogue_version + 1 }
    await world.db.transaction(async (tx) => {
      assert.equal(await installation.catalogueWithin(tx, versions).catalogue(part), 1)
      assert.equal(await installation.catalogueWithin(tx, later).catalogue(part), 3)
      assert.equal(await installation.catalogueAt(later)(part, tx), 4)
    })
    assert.equal(read[3] === world.db, false)
  })

  const basisFor = async (caller: Caller = anonymous) => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const [settings, groups] = [await installation.settingsAt(versions), await installation.groupsAt(versions)]
    return { db: world.db, caller, settings, groups, versions, catalogue: installation.catalogueAt(versions) }
  }

  it('on which a write is based is read again if any part of it has changed since the request began', async () => {
    const basis = await basisFor()
    await writeBugs(basis, async (tx, current) => {
      assert.deepEqual([current.db === tx, current.settings === basis.settings], [true, true])
      const { part, read } = countedPart()
      await current.catalogue(part)
      assert.deepEqual(read, [tx])
    })
    for (const counter of COUNTERS) {
      const old = { ...basis, versions: { ...basis.versions, [counter]: basis.versions[counter] - 1 } }
      await writeBugs(old, async (tx, current) => {
        assert.deepEqual([current.db === tx, current.settings === basis.settings], [true, false], counter)
        assert.deepEqual([current.versions, current.settings], [{ ...basis.versions }, basis.settings])
        const { part, read } = countedPart()
        assert.deepEqual([await current.catalogue(part), await current.catalogue(part)], [1, 1])
        assert.deepEqual(read, [tx])
        assert.equal(current.caller, anonymous)
      })
    }
  })

  it('on which a write is based includes the groups of the caller, and whether they may log in', async () => {
    const [user, group] = [await world.newUser(), await world.newGroup()]
    const basis = await basisFor({ ...anonymous, id: user.id, login: user.login })
    await world.ada.put(`/rest/user/${user.id}`, { groups: { add: [group.name] } })
    await writeBugs(basis, async (_, { caller }) => {
      assert.deepEqual([caller.login, caller.groups.ids.has(group.id)], [user.login, true])
    })
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Left us.' })
    await assert.rejects(
      writeBugs(basis, async () => assert.fail()),
      withCode(301),
    )
    const missing = { ...basis, caller: { ...basis.caller, id: 999_999 } }
    await assert.rejects(
      writeBugs(missing, async () => assert.fail()),
      withCode(301),
    )
  })

  it('has secrets that never change, and that are made where they are missing', async () => {
    const all = async () => {
      const rows = await world.db.query((q) => q.selectFrom('installation_secrets').selectAll())
      return new Map(rows.map(({ name, value }) => [name, value]))
    }
    const before = await all()
    await makeInstallationSecrets(world.db)
    assert.deepEqual(await all(), before)
    assert.equal(new Set(before.values()).size, before.size)
    await world.db.query((q) => q.deleteFrom('installation_secrets').where('name', 'in', ['file_link', 'known_device']))
    const made = await readSecret(world.db, 'file_link')
    assert.match(made, /^\w{43}$/)
    assert.equal(await readSecret(world.db, 'file_link'), made)
    await makeInstallationSecrets(world.db)
    assert.deepEqual([...(await all()).keys()].sort(), [...before.keys()].sort())
    assert.equal((await all()).get('file_link'), made)
  })
})
