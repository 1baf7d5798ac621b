import type { CallContext } from '../../access/call.ts'
import { readVersions } from '../../access/installation.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'

/** The parameters, the groups and the catalogue at this moment, and where we are reached. */
export type MailContext = Pick<CallContext, 'db' | 'settings' | 'groups' | 'catalogue' | 'baseUrl'>

export async function currentMailContext({
  db,
  installation,
  baseUrl,
}: Omit<DeliveryContext, 'config' | 'log'>): Promise<MailContext> {
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
export function siteOf({ settings, baseUrl }: Pick<MailContext, 'settings' | 'baseUrl'>) {
  return (settings.urlbase || baseUrl).replace(/\/+$/, '')
}
