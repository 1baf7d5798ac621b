import type { CallContext } from '../../access/call.ts'
import { readStateVersions } from '../../access/installation.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'

/** The current parameters, groups and catalogue, and the URL of the server. */
export type MailContext = Pick<CallContext, 'db' | 'settings' | 'groups' | 'catalogue' | 'baseUrl'>

export async function currentMailContext({
  db,
  installation,
  baseUrl,
}: Omit<DeliveryContext, 'config' | 'log'>): Promise<MailContext> {
  const versions = await readStateVersions(db)
  return {
    db,
    settings: await installation.settingsAt(versions),
    groups: await installation.groupsAt(versions),
    catalogue: installation.catalogueAt(versions),
    baseUrl: baseUrl(),
  }
}

/** The public URL of the tracker, without a trailing slash: the parameter urlbase, or else the server's own URL. */
export function siteOf({ settings, baseUrl }: Pick<MailContext, 'settings' | 'baseUrl'>) {
  return (settings.urlbase || baseUrl).replace(/\/+$/, '')
}
