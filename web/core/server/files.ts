// Files that the browser itself loads: pictures, downloads and other formats. It sends no header of our pages with them.
import { addressOf } from '../../../shared/rest-address.ts'
import { logIns } from '../account/session.ts'
import { showFault } from '../toasts.ts'
import { root } from './known-answers.ts'
import { getFile, getOnce, isSignedIn } from './rest.ts'

interface KnownLink {
  address: string
  until: number
}

/** By login and attachment: a link works in the session that it was made in. */
const links = new Map<string, KnownLink>()
/** A link that expires sooner is not used any more. */
const LEAST_LEFT_MILLISECONDS = 60_000

/** An address with which the browser may load the content of an attachment, in the session of the reader, for a few minutes. */
export async function attachmentLink(id: number): Promise<string> {
  const key = `${logIns.value} ${id}`
  const known = links.get(key)
  if (known !== undefined && known.until - Date.now() > LEAST_LEFT_MILLISECONDS) return known.address
  if (!isSignedIn.value) return attachmentHref(id)
  const { address, expires } = await getOnce(addressOf('/bug/attachment/:attachment_id/link', { attachment_id: id }))
  links.set(key, { address: root + address, until: Date.parse(expires) })
  return root + address
}

/** The content of an attachment as a link, for readers who need no session, and for browsers that say which page asks. */
export function attachmentHref(id: number) {
  return `${root}/rest/bug/attachment/${id}/data`
}

export async function downloadAttachment(id: number, name: string) {
  try {
    save(await attachmentLink(id), name)
  } catch (fault) {
    showFault(fault)
  }
}

/** Opens a response in another format. At a plain http host name browsers do not say who opens it, so that the page reads and saves it. */
export async function openResponse(address: string, name: string) {
  if (isSecureContext) return location.assign(root + address)
  try {
    saveBlob(await getFile(address), name)
  } catch (fault) {
    showFault(fault)
  }
}

const KEPT_MILLISECONDS = 60_000

/** Saves what the page itself has made or read. */
export function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob)
  save(url, name)
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MILLISECONDS)
}

function save(href: string, download: string) {
  const link = Object.assign(document.createElement('a'), { href, download })
  document.body.append(link)
  link.click()
  link.remove()
}
