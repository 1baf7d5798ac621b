// The same change of many bugs: what it would do to each of them, and doing it.
import { put, RestError } from '../server/rest.ts'

/** What a change does to one bug, or why it is refused. */
export interface BulkOutcome {
  id: number
  changes: readonly { field: string; removed: string; added: string }[]
  refused?: string
  /** When it was changed, by the clock of the server. */
  at?: string
}

const BUGS_AT_ONCE = 25

/** Tries the change on all bugs without making it. A call for several fails as a whole, so those of a refused call are tried one by one. */
export async function previewChanges(
  ids: readonly number[],
  body: object,
  onOutcomes: (outcomes: readonly BulkOutcome[]) => void,
  isStopped: () => boolean,
) {
  for (let from = 0; from < ids.length && !isStopped(); from += BUGS_AT_ONCE) {
    const some = ids.slice(from, from + BUGS_AT_ONCE)
    try {
      onOutcomes(await changeTogether(some, { ...body, dry_run: true }))
    } catch (fault) {
      if (!(fault instanceof RestError)) throw fault
      for (const id of some) {
        if (isStopped()) return
        onOutcomes([await outcomeOf(id, { ...body, dry_run: true })])
      }
    }
  }
}

/** Changes one bug after the other, so that one can stop in between and a refusal stops no other. */
export async function applyChanges(
  ids: readonly number[],
  body: object,
  onOutcome: (outcome: BulkOutcome) => void,
  isStopped: () => boolean,
) {
  for (const id of ids) {
    if (isStopped()) return
    onOutcome(await outcomeOf(id, body))
  }
}

async function outcomeOf(id: number, body: object): Promise<BulkOutcome> {
  try {
    const [outcome] = await changeTogether([id], body)
    return outcome ?? { id, changes: [] }
  } catch (fault) {
    if (!(fault instanceof RestError)) throw fault
    return { id, changes: [], refused: fault.message }
  }
}

/** All of them, or none if one is refused. */
export async function changeTogether(ids: readonly number[], body: object): Promise<BulkOutcome[]> {
  const { bugs } = await put('/bug/:ref', { ref: ids[0] ?? '', ...body, ids })
  return bugs
    .filter(({ id }) => ids.includes(id))
    .map(({ id, changes, last_change_time }) => ({
      id,
      at: last_change_time,
      changes: Object.entries(changes).map(([field, { removed, added }]) => ({
        field,
        removed: removed ?? '',
        added: added ?? '',
      })),
    }))
}
