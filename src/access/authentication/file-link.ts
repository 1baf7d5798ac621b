import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '../../platform/database/db.ts'
import { readSecret } from '../installation-secrets.ts'

// A browser sends no header of the pages with a picture or a download. So their addresses have a code, which only our own pages get. It stands
// for that header: the cookie is still needed, and the code is made for the session in it and for one file.

export const LINK_MINUTES = 5

export interface FileLink {
  code: string
  /** In milliseconds. */
  expires: number
}

export async function fileLinkFor(db: Db, token: string, file: string): Promise<FileLink> {
  const expires = Date.now() + LINK_MINUTES * 60_000
  return { code: await codeOf(db, token, file, expires), expires }
}

/** Whether this is a code for the file and the session, and has not expired. */
export async function isFileLink(db: Db, token: string, file: string, code: string): Promise<boolean> {
  const expires = Number(/^(\d{13})\.[0-9a-f]{64}$/.exec(code)?.[1])
  if (!(expires > Date.now())) return false
  return timingSafeEqual(Buffer.from(code), Buffer.from(await codeOf(db, token, file, expires)))
}

/** A page of another origin that has got hold of an address cannot use it in the browser of its user. */
export function mayFollowLinks({ 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean {
  return site === 'same-origin' || site === 'none'
}

async function codeOf(db: Db, token: string, file: string, expires: number) {
  const mac = createHmac('sha256', await readSecret(db, 'file_link')).update(`${token} ${expires} ${file}`)
  return `${expires}.${mac.digest('hex')}`
}
