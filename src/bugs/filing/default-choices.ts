import { findField } from '../../../shared/bug-fields/field-names.ts'
import { type FieldDefinitions, selectFieldOf } from '../../catalogue/fields/field.ts'
import { errors } from '../../platform/errors.ts'
import { DEFAULTED_CHOICES, valueIn } from '../values/bug-values.ts'
import { mayChoose } from './choosable-fields.ts'
import type { NewBugContext, WantedBug } from './wanted-bug.ts'

/**
 * The choices for which a parameter has the default. First all of them must have a value; the returned function reads the values, which
 * is done after the product is known.
 */
export function choicesOf(context: NewBugContext, wanted: WantedBug) {
  const { fields, settings } = context
  const chosen = DEFAULTED_CHOICES.map(({ name, column, defaultFrom }) => {
    const given = (mayChoose(name, context, undefined) ? wanted[name] : undefined) ?? settings[defaultFrom]
    const input = given.trim() === '' ? emptyValueIn(fields, name) : given
    if (input === undefined) throw errors.parameter_required({ name, field: name })
    return { name, column, input }
  })
  return () =>
    Object.fromEntries(
      chosen.map(({ name, column, input }) => [column, valueIn(fields, selectFieldOf(name), input).id]),
    ) as Record<(typeof DEFAULTED_CHOICES)[number]['column'], number>
}

/** The value of a choice that no new bug needs; the first one, if an import has no value that means none. */
function emptyValueIn(fields: FieldDefinitions, name: (typeof DEFAULTED_CHOICES)[number]['name']): string | undefined {
  const empty = findField(name)?.emptyValue
  if (empty === undefined) return undefined
  const usable = fields.valuesOf(selectFieldOf(name)).filter(({ is_active }) => is_active === 1)
  return (usable.find((value) => value.name === empty) ?? usable[0])?.name
}
