import type { Answer } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { getOnce, put } from '../../../core/server/rest.ts'

export type MailState = Answer<'GET /admin/mail'>
export type MailSecurity = NonNullable<MailState['server']>['security']
export type UndeliveredMessage = Answer<'GET /mail/undelivered'>['messages'][number]

export const MAIL_CALL = addressOf('/admin/mail')

/** How the connection is encrypted, in words, with the usual port. */
export const SECURITIES: Readonly<Record<MailSecurity, { name: string; port: string }>> = {
  tls: { name: 'TLS from the beginning', port: '465' },
  starttls: { name: 'STARTTLS, and never without', port: '587' },
  opportunistic: { name: 'STARTTLS if the server offers it', port: '587' },
}

/** The server as it is set now. */
type MailServerNow = MailState['server']

/** Refused with the server that another administrator has set since `seen`, if it is another one. */
export async function setMailServer(url: string, seen: MailServerNow): Promise<{ changedTo?: MailServerNow }> {
  const { version } = await getOnce(addressOf('/admin/parameters', { name: 'smtp_url' }))
  const { server } = await getOnce(MAIL_CALL)
  if (JSON.stringify(server) !== JSON.stringify(seen)) return { changedTo: server }
  await put('/parameters', { smtp_url: url }, { 'If-Match': `"${version}"` })
  return {}
}

export interface ServerValues {
  host: string
  port: string
  security: MailSecurity
  user: string
  password: string
}

/** The value of the parameter smtp_url. A login that is kept is sent back as it was shown: hidden. */
export function mailServerUrl({ host, port, security, user, password }: ServerValues, keepsLogin: boolean): string {
  const login = keepsLogin ? '********@' : user === '' ? '' : `${encoded(user)}:${encoded(password)}@`
  const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const scheme = security === 'tls' ? 'smtps' : 'smtp'
  return `${scheme}://${login}${written.trim()}:${port.trim()}${security === 'starttls' ? '?requireTLS=true' : ''}`
}

/** Also the characters that encodeURIComponent leaves as they are, but that have a meaning in an address. */
function encoded(text: string) {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)
}
