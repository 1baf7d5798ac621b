import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { FIELD_TYPE, type FieldDefinition } from '../../../catalogue/fields/field.ts'
import { visibleCatalogue } from '../../../catalogue/fields/field-reader.ts'
import type { Db } from '../../../platform/database/db.ts'
import {
  type CustomItem,
  type CustomValues,
  customChanges,
  customFieldNamed,
  emptyMandatoryFields,
} from '../../custom-values/custom-value.ts'
import { readCustomValues } from '../../custom-values/read-custom-values.ts'
import { requireFilled } from '../../custom-values/require-filled.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import { hiddenAmong } from '../../values/bug-refs.ts'
import type { Batch } from '../batch/batch.ts'

/** Changes custom fields by name. A mandatory field cannot be emptied on a bug that shows it. */
export async function editCustomValues(tx: Db, batch: Batch) {
  const { rawParams, editor, settings, fields, edits } = batch
  const requestedFields = Object.keys(rawParams).flatMap((name) => customFieldNamed(fields, name) ?? [])
  if (requestedFields.length === 0) return
  const catalogue = visibleCatalogue({ db: tx, caller: editor, settings })
  const hiddenLinks = await hiddenLinksIn(tx, batch, requestedFields)
  for (const { before, after, rights } of edits) {
    const context = { caller: editor, settings, fields, catalogue, bug: { id: before.id, values: before.custom } }
    const wanted = await readCustomValues(tx, context, rawParams)
    const values = new Map([...before.custom, ...withHidden(wanted, hiddenLinks(before.custom))])
    const changes = customChanges(requestedFields, before.custom, values)
    for (const name of Object.keys(changes)) requireMayChange(rights, name)
    const changed = requestedFields.filter(({ name }) => Object.hasOwn(changes, name))
    const empty = emptyMandatoryFields(changed, fields, after, new Map([...values, ...wanted]))
    if (empty.length > 0) await requireFilled(empty, fields, catalogue)
    after.custom = values
  }
}

/** The links of a bug to bugs that the editor cannot see, by field. The editor cannot change them. */
type HiddenLinks = (values: CustomValues) => ReadonlyMap<number, readonly CustomItem[]>

async function hiddenLinksIn(
  tx: Db,
  { editor, settings, edits }: Batch,
  requestedFields: readonly FieldDefinition[],
): Promise<HiddenLinks> {
  const links = requestedFields.filter(({ type }) => type === FIELD_TYPE.bugId).map(({ id }) => id)
  const named = edits.flatMap(({ before }) =>
    links.flatMap((field) => (before.custom.get(field) ?? []).flatMap((item) => item.number_value ?? [])),
  )
  const hidden = await hiddenAmong(tx, settings, viewerOf(editor), [...new Set(named)])
  const isHidden = ({ number_value }: CustomItem) => number_value !== null && hidden.has(number_value)
  return (values) => new Map(links.map((field) => [field, (values.get(field) ?? []).filter(isHidden)]))
}

/** Hidden links come first, so that users who can see them get them as before. */
function withHidden(wanted: CustomValues, hidden: ReadonlyMap<number, readonly CustomItem[]>): CustomValues {
  return new Map([...wanted].map(([field, items]) => [field, [...(hidden.get(field) ?? []), ...items]]))
}
