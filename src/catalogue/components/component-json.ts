import { dictionary } from '../../platform/text/dictionary.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { presentFlagTypes, type ScopedFlagType } from '../flag-types/flag-type.ts'
import type { ComponentRow } from './component-store.ts'

/** Returns a login name as the reader may see it, without the domain if necessary. */
export type ShownLogin = (login: string) => string
/** The rotations by id, each with its name and the login of the user whose turn it is. */
export type RotationNames = ReadonlyMap<number, { name: string; login: string }>
type ComponentPart = (row: ComponentRow, shownLogin: ShownLogin, rotations: RotationNames) => unknown

const PARTS: Readonly<Record<string, ComponentPart>> = dictionary({
  id: (row) => row.id,
  name: (row) => row.name,
  description: (row) => row.description,
  default_assigned_to: (row, shownLogin) => shownLogin(row.default_assigned_to ?? ''),
  default_qa_contact: (row, shownLogin) => shownLogin(row.default_qa_contact ?? ''),
  triage_owner: (row, shownLogin, rotations) =>
    shownLogin(row.triage_owner ?? rotations.get(row.rotation_id ?? 0)?.login ?? ''),
  triage_rotation: (row, _, rotations) => rotations.get(row.rotation_id ?? 0)?.name ?? '',
  // compat: components have no sort key, but the response has the field.
  sort_key: () => 0,
  is_active: (row) => row.is_active === 1,
})

/**
 * Returns a function that presents a component without its flag types. The selected fields are computed once for all components.
 */
export function componentPresenter(select: FieldSelection, shownLogin: ShownLogin, rotations: RotationNames) {
  const parts = Object.entries(PARTS).filter(([name]) => select.wants(name))
  return (row: ComponentRow): Record<string, unknown> => {
    const shown: Record<string, unknown> = {}
    for (const [name, part] of parts) shown[name] = part(row, shownLogin, rotations)
    return shown
  }
}

/** The flag types of a component, with the selected fields. */
export function selectedFlagTypes(types: readonly ScopedFlagType[], select: FieldSelection, shownLogin: ShownLogin) {
  const { bug, attachment } = presentFlagTypes(types, shownLogin)
  return select.pick({
    bug: bug.map((type) => select.within('bug').pick(type)),
    attachment: attachment.map((type) => select.within('attachment').pick(type)),
  })
}
