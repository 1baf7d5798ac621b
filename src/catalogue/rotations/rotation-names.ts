import type { CallContext } from '../../access/call.ts'
import { currentPeople } from './current-turns.ts'
import { keptRotations } from './rotation-store.ts'

/** The rotations by id, each with its name and the login of the user whose turn it is; empty if nobody is there. */
export async function rotationNames({
  db,
  catalogue,
}: Pick<CallContext, 'db' | 'catalogue'>): Promise<ReadonlyMap<number, { name: string; login: string }>> {
  const rotations = await catalogue(keptRotations)
  const people = await currentPeople(db, rotations, Date.now())
  return new Map(rotations.map(({ id, name }) => [id, { name, login: people.get(id)?.login ?? '' }]))
}
