import { readStateVersions } from '../../../access/installation.ts'
import type { DeliveryContext } from '../../delivery/delivery-context.ts'
import { mailFolderIn } from './delete-kept-mail.ts'
import { folderTransport } from './folder-transport.ts'
import { mailServerUrl } from './mail-server-url.ts'
import type { MailTransport } from './mail-transport.ts'
import { smtpTransport } from './smtp-transport.ts'

/** A transport with the messages that are being sent through it. */
interface OpenTransport {
  readonly url: string | undefined
  readonly transport: MailTransport
  readonly sending: Set<Promise<unknown>>
}

/**
 * Sends each message through the mail server that is set when it is sent, so that every process uses a new server without a restart.
 * While there is none, messages become files.
 */
export function currentTransport(context: DeliveryContext, connections: number): MailTransport {
  const { db, config, installation, log } = context
  let current: OpenTransport | undefined
  const open = (url: string | undefined): MailTransport => {
    if (url !== undefined) return smtpTransport(url, undefined, connections)
    const folder = mailFolderIn(config.dataFolder)
    log.info('mail stored, not sent', { folder, why: 'neither LACEWING_SMTP_URL nor the parameter smtp_url is set' })
    return folderTransport(folder)
  }
  const transportFor = (url: string | undefined): OpenTransport => {
    if (current !== undefined && current.url === url) return current
    if (current !== undefined) void closeWhenIdle(current)
    current = { url, transport: open(url), sending: new Set() }
    return current
  }
  return {
    async send(message, signal) {
      const settings = await installation.settingsAt(await readStateVersions(db))
      const { transport, sending } = transportFor(mailServerUrl(config, settings))
      const sent = transport.send(message, signal)
      sending.add(sent)
      return sent.finally(() => sending.delete(sent))
    },
    async close() {
      await current?.transport.close()
    },
  }
}

/** Messages on their way through the former server are not interrupted: it would be unknown whether they have arrived. */
async function closeWhenIdle({ transport, sending }: OpenTransport) {
  await Promise.allSettled(sending)
  await transport.close().catch(() => {})
}
