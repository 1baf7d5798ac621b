export interface Version extends VersionEdit {
  id: number
}

/** The new state of a version. */
export interface VersionEdit {
  name: string
  sort_key: number
  is_active: 0 | 1
}

export interface WantedVersion {
  name?: string | undefined
  sort_key?: number | undefined
  is_active?: boolean | undefined
}

export const NEW_VERSION: VersionEdit = { name: '', sort_key: 0, is_active: 1 }

/** Applies the requested changes. Spaces around the name are removed. */
export function editOf(before: VersionEdit, wanted: WantedVersion): VersionEdit {
  return {
    name: (wanted.name ?? before.name).trim(),
    sort_key: wanted.sort_key ?? before.sort_key,
    is_active: wanted.is_active === undefined ? before.is_active : wanted.is_active ? 1 : 0,
  }
}

export function presentVersion({ id, name, sort_key, is_active }: Version) {
  return { id, name, sort_key, is_active: is_active === 1 }
}
