import type { Db } from '../../platform/database/db.ts'
import { requireMayChange } from '../bug-permissions.ts'
import { customChanges, customFieldNamed, requireMandatory } from '../custom-values/custom-value.ts'
import { readCustomValues } from '../custom-values/read-custom-values.ts'
import type { Batch } from './batch.ts'

/** Custom fields, by their names. A field that must be filled in is not emptied where it is shown. */
export async function editCustomValues(tx: Db, { given, editor, settings, fields, edits }: Batch) {
  const asked = Object.keys(given).flatMap((name) => customFieldNamed(fields, name) ?? [])
  if (asked.length === 0) return
  for (const { before, after, standing } of edits) {
    const filler = { caller: editor, settings, fields, bug: { id: before.id, values: before.custom } }
    const values = new Map([...before.custom, ...(await readCustomValues(tx, filler, given))])
    const changes = customChanges(asked, before.custom, values)
    for (const name of Object.keys(changes)) requireMayChange(standing, name)
    requireMandatory(
      asked.filter(({ name }) => Object.hasOwn(changes, name)),
      fields,
      after,
      values,
    )
    after.custom = values
  }
}
