import { noteParametersChanged, readSettings, storeParameter } from '../../../access/installation.ts'
import { recordAudit } from '../../../changes/audit.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import type { FieldDefinition } from '../field.ts'
import { parameterFor } from './parameter-values.ts'

/** Updates a parameter that contains the old name of the value. */
export async function renameInParameter(
  tx: ConfigurationTransaction,
  who: number,
  field: FieldDefinition,
  removed: string,
  added: string,
) {
  const parameter = parameterFor(field.name)
  if (parameter === undefined || (await readSettings(tx))[parameter] !== removed) return
  await storeParameter(tx, parameter, added)
  await noteParametersChanged(tx)
  await recordAudit(tx, { who, class: 'Parameter', objectId: 0 }, { [parameter]: { removed, added } })
}
