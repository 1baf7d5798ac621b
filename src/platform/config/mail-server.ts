import { HIDDEN_SECRET } from './hidden.ts'

/** How the connection is encrypted: from the beginning, after a command that must succeed, or after one if the server offers it. */
export type MailSecurity = 'tls' | 'starttls' | 'opportunistic'

/** A mail server without its secrets. */
export interface ShownMailServer {
  host: string
  port: number
  security: MailSecurity
  has_login: boolean
}

const LONGEST = 1000
const RIGHT =
  'it must be smtp:// or smtps://, then user:password@ if the server needs a login, the host and the port, such as smtps://bugs:p%40ss@mail.example.com:465, with ?requireTLS=true or nothing behind it'

/** What is wrong with a value of the parameter smtp_url. The environment allows more, because an operator who sets it has the machine anyway. */
export function faultInMailServer(text: string): string | undefined {
  if (text === '') return undefined
  const url = text.length <= LONGEST && /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || !/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(url.hostname))
    return RIGHT
  const isOptionKnown = url.search === '' || (url.search === '?requireTLS=true' && url.protocol === 'smtp:')
  const hasRest = !['', '/'].includes(url.pathname) || url.hash !== '' || url.port === '0'
  return isOptionKnown && !hasRest && isLoginWhole(url) ? undefined : RIGHT
}

/** A user without a password, or the other way round, is a mistake of typing. The sign of a hidden login has no password. */
function isLoginWhole({ username, password }: URL) {
  if (username === HIDDEN_SECRET) return password === ''
  return (username === '') === (password === '') && isDecodable(username) && isDecodable(password)
}

function isDecodable(text: string) {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** Whether mail can be sent with this value of the parameter. */
export function isMailServer(text: string): boolean {
  return text !== '' && faultInMailServer(text) === undefined
}

/** The value without user and password: at some providers the user is as secret as the password. */
export function shownMailServer(text: string): string {
  if (text === '') return ''
  if (faultInMailServer(text) !== undefined) return HIDDEN_SECRET
  const url = new URL(text)
  if (url.username === '') return text
  url.username = HIDDEN_SECRET
  url.password = ''
  return url.href
}

/** The value to store. A hidden login stays what it is while server and encryption stay, so that no other server gets it. */
export function storedMailServer(text: string, before: string): string {
  return hasHiddenLogin(text) && shownMailServer(text) === shownMailServer(before) ? before : text
}

/** Whether the login is missing because it was hidden when the value was read. */
export function hasHiddenLogin(text: string): boolean {
  return URL.canParse(text) && new URL(text).username === HIDDEN_SECRET
}

/** The parts that administrators may see. */
export function mailServerIn(text: string): ShownMailServer {
  const url = new URL(text)
  const isTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? 'tls' : url.searchParams.get('requireTLS') === 'true' ? 'starttls' : 'opportunistic',
    has_login: url.username !== '',
  }
}
