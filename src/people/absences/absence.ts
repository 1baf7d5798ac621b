/** A time in which a user is away: rotations skip them, and requests to them show it. */
export interface Absence {
  id: number
  user_id: number
  starts_at: string
  ends_at: string
  /** Why, or who stands in; empty if the user says nothing. */
  note: string
}

export type AbsenceEdit = Pick<Absence, 'starts_at' | 'ends_at' | 'note'>

/** Applies the requested changes. Spaces around the note are removed. */
export function changedAbsence(before: AbsenceEdit, requested: Partial<AbsenceEdit>): AbsenceEdit {
  return {
    starts_at: requested.starts_at ?? before.starts_at,
    ends_at: requested.ends_at ?? before.ends_at,
    note: (requested.note ?? before.note).trim(),
  }
}
