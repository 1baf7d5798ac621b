import type { CallContext } from '../../access/call.ts'
import type { CataloguePart } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { currentPeople } from './current-turns.ts'
import type { RotationMember } from './rotation.ts'
import { keptRotations } from './rotation-store.ts'

interface TriagedComponent {
  id: number
  rotation_id: number | null
  owner_id: number | null
  login: string | null
  real_name: string | null
  nick: string | null
}

const triaged = statement<object>()((q) =>
  q
    .selectFrom('components')
    .leftJoin('users', 'users.id', 'components.triage_owner_id')
    .select([
      'components.id',
      'components.rotation_id',
      'components.triage_owner_id as owner_id',
      'users.login',
      'users.real_name',
      'users.nick',
    ])
    .where((it) => it.or([it('triage_owner_id', 'is not', null), it('rotation_id', 'is not', null)])),
)

const keptTriaged: CataloguePart<readonly TriagedComponent[]> = { read: (db) => db.all(triaged, {}) }

type Reader = Pick<CallContext, 'db' | 'catalogue'>

/** The ids of the users whose turn it is, by rotation, for those that triage components. Without such rotations nothing is read. */
export async function peopleOfRotations({ db, catalogue }: Reader): Promise<ReadonlyMap<number, RotationMember>> {
  const used = new Set((await catalogue(keptTriaged)).map(({ rotation_id }) => rotation_id))
  const rotations = (await catalogue(keptRotations)).filter(({ id }) => used.has(id))
  return currentPeople(db, rotations, Date.now())
}

/** The same inside a transaction, as it sees the catalogue. */
export function readTriageOwnersIn(tx: Db): Promise<ReadonlyMap<number, RotationMember>> {
  return readTriageOwners({ db: tx, catalogue: (part) => part.read(tx) })
}

/** Who triages, by component. Components without anybody are left out. */
export async function readTriageOwners(reader: Reader): Promise<ReadonlyMap<number, RotationMember>> {
  const people = await peopleOfRotations(reader)
  const owners = new Map<number, RotationMember>()
  for (const { id, rotation_id, owner_id, login, real_name, nick } of await reader.catalogue(keptTriaged)) {
    const owner =
      owner_id === null
        ? people.get(rotation_id ?? 0)
        : { id: owner_id, login: login ?? '', real_name: real_name ?? '', nick }
    if (owner !== undefined) owners.set(id, owner)
  }
  return owners
}
