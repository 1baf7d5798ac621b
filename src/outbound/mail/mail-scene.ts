import type { Asked } from '../../access/call.ts'
import { readVersions } from '../../access/installation.ts'
import type { Surroundings } from '../surroundings.ts'

/** The parameters, the groups and the catalogue at this moment, and where we are reached. */
export type Scene = Pick<Asked, 'db' | 'settings' | 'groups' | 'catalogue' | 'baseUrl'>

export async function sceneNow({ db, installation, baseUrl }: Omit<Surroundings, 'config' | 'log'>): Promise<Scene> {
  const versions = await readVersions(db)
  return {
    db,
    settings: await installation.settingsAt(versions),
    groups: await installation.groupsAt(versions),
    catalogue: installation.catalogueAt(versions),
    baseUrl: baseUrl(),
  }
}

/** Where people find us: what the administrator says, or else where we are. Without a slash at its end. */
export function siteOf({ settings, baseUrl }: Pick<Scene, 'settings' | 'baseUrl'>) {
  return (settings.urlbase || baseUrl).replace(/\/+$/, '')
}
