import type { CallContext } from '../../access/call.ts'
import { readStateVersions } from '../../access/installation.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { withoutTurns } from './headers/one-header.ts'

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

/** The name of the installation, to be used in a header; empty if it has none. One that turns the direction of text would turn what follows. */
export function siteNameOf({ settings }: Pick<MailContext, 'settings'>) {
  return withoutTurns(settings.site_name)
}

/** The name and the address of the tracker, as the end of a sentence or of its first part. */
export function namedSiteOf(mailContext: Pick<MailContext, 'settings' | 'baseUrl'>) {
  const [name, address] = [siteNameOf(mailContext), `${siteOf(mailContext)}/`]
  return name === '' ? address : `${name}, ${address}`
}

/** The subject of a message that is not about a bug: the name of the installation is before it. */
export function subjectOf(mailContext: Pick<MailContext, 'settings'>, subject: string) {
  const name = siteNameOf(mailContext)
  return name === '' ? subject : `[${name}] ${subject}`
}
