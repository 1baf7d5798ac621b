import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import { readSecret } from '../installation-secrets.ts'
import { type SessionCookie, valueInCookie } from './session-cookie.ts'

// Wrong passwords lock an account for the network that they come from. A browser in which its user has logged in before is counted by
// itself, so that others in the same network cannot keep that user out.

const DEVICE_LENGTH = 16
const DEVICE = /^\w{16}\.[0-9a-f]{64}$/
/** Browsers keep no cookie for more than 400 days. */
const KEPT_SECONDS = 400 * 86_400

/** What the attempts of a browser are counted by, if it has a cookie that was made for this login name; otherwise undefined. */
export async function knownDevice(
  db: Db,
  cookies: string | undefined,
  cookie: SessionCookie,
  login: string,
): Promise<string | undefined> {
  const sent = valueInCookie(cookies, nameOf(cookie), DEVICE)
  if (sent === undefined) return undefined
  const device = sent.slice(0, DEVICE_LENGTH)
  const isKnown = timingSafeEqual(Buffer.from(sent), Buffer.from(await valueFor(db, device, login)))
  return isKnown ? `known device ${device}` : undefined
}

/** The header with which a browser becomes known for the login name. The cookie is not a credential. */
export async function deviceCookie(db: Db, cookie: SessionCookie, login: string): Promise<string> {
  const device = randomWord(DEVICE_LENGTH)
  const secure = cookie.isSecure ? '; Secure' : ''
  return `${nameOf(cookie)}=${await valueFor(db, device, login)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${KEPT_SECONDS}${secure}`
}

/** A session is known as well: its user sends the password again for a sensitive change. */
export function knownSession(token: string | undefined): string | undefined {
  return token === undefined ? undefined : `session ${digest(token).slice(0, DEVICE_LENGTH)}`
}

function nameOf({ name }: SessionCookie) {
  return `${name}_device`
}

async function valueFor(db: Db, device: string, login: string) {
  const secret = await readSecret(db, 'known_device')
  const mac = createHmac('sha256', secret).update(`${device} ${fold(login.trim())}`)
  return `${device}.${mac.digest('hex')}`
}
