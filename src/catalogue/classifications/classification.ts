export interface Classification extends ClassificationEdit {
  id: number
}

/** The new state of a classification. */
export interface ClassificationEdit {
  name: string
  description: string
  sort_key: number
}

/** The default classification. Every installation has it, and it cannot be deleted. */
export const UNCLASSIFIED_ID = 1

export const NEW_CLASSIFICATION: ClassificationEdit = { name: '', description: '', sort_key: 0 }

export interface WantedClassification {
  name?: string | undefined
  description?: string | undefined
  sort_key?: number | undefined
}

/** Applies the requested changes. Spaces around name and description are removed. */
export function changedClassification(before: ClassificationEdit, wanted: WantedClassification): ClassificationEdit {
  return {
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    sort_key: wanted.sort_key ?? before.sort_key,
  }
}
