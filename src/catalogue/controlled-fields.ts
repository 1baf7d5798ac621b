import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'

/** Fields that can control what other fields show, and whose values have their own tables. */
export type Controller = 'classification' | 'product' | 'component' | 'version' | 'target_milestone'

const fieldsShownBy = statement<{ field: string; ids: string }>()((q, p, d) =>
  q
    .selectFrom('fields')
    .innerJoin('fields as controller', 'controller.id', 'fields.visibility_field_id')
    .innerJoin('field_visibility_values', 'field_visibility_values.field_id', 'fields.id')
    .select('fields.name')
    .where('controller.name', '=', p.field)
    .where('field_visibility_values.value_id', 'in', d.integersIn(p.ids))
    .limit(1),
)
const valuesShownBy = statement<{ field: string; ids: string }>()((q, p, d) =>
  q
    .selectFrom('fields')
    .innerJoin('fields as controller', 'controller.id', 'fields.value_field_id')
    .innerJoin('field_values', 'field_values.field_id', 'fields.id')
    .select('fields.name')
    .where('controller.name', '=', p.field)
    .where('field_values.visibility_value_id', 'in', d.integersIn(p.ids))
    .limit(1),
)

/** Throws if one of the values controls whether a field or a value is shown. */
export async function requireControlsNothing(tx: Db, field: Controller, ids: readonly number[], what: string) {
  if (ids.length === 0) return
  const params = { field, ids: JSON.stringify(ids) }
  const controlled = (await tx.first(fieldsShownBy, params)) ?? (await tx.first(valuesShownBy, params))
  if (controlled) throw errors.controls_field({ subject: what, controlled: controlled.name })
}
