export interface Classification extends ClassificationEdit {
  id: number
}

/** What a classification is to be. */
export interface ClassificationEdit {
  name: string
  description: string
  sort_key: number
}

/** The one that products are in when nobody says otherwise. It ships first, and cannot be deleted. */
export const UNCLASSIFIED_ID = 1

export const NEW_CLASSIFICATION: ClassificationEdit = { name: '', description: '', sort_key: 0 }

export interface WantedClassification {
  name?: string | undefined
  description?: string | undefined
  sort_key?: number | undefined
}

/** Applies what was asked for; blanks around a name or description mean nothing. */
export function editOf(before: ClassificationEdit, wanted: WantedClassification): ClassificationEdit {
  return {
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    sort_key: wanted.sort_key ?? before.sort_key,
  }
}
