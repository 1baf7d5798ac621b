import { digest } from '../../../platform/secrets/secrets.ts'

/** The headers that identify a message and put it into the thread of its bug. */
export interface Thread {
  messageId: string
  /** The first message about the bug; undefined on the first message itself. */
  inReplyTo: string | undefined
}

export interface ThreadHeaders {
  bugId: number
  /** 0 for an address without an account. */
  userId: number
  isNew: boolean
  site: string
  /** Unique for this message, but the same when it is sent again, so that duplicates can be recognized. */
  seed: string
}

/** compat: replies in Bugzilla's threads continue in ours (semantics H.5). */
export function threadOf({ bugId, userId, isNew, site, seed }: ThreadHeaders): Thread {
  const { port, host } = placeOf(site)
  const first = `<bug-${bugId}-${userId}${port}@${host}>`
  if (isNew) return { messageId: first, inReplyTo: undefined }
  const word = digest(`${seed} ${site}`)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 10)
  return { messageId: `<bug-${bugId}-${userId}-${word}${port}@${host}>`, inReplyTo: first }
}

/** `https://bugs.example.org:8443/tracker` is `https.bugs.example.org/tracker`, with `-8443` before the @. */
function placeOf(site: string) {
  const found = /^([^:/]+):\/\/(\[[^\]]*\]|[^:/]+)(?::(\d+))?(.*)$/.exec(site)
  if (found === null) return { port: '', host: 'localhost' }
  const [, protocol = '', name = '', port, path = ''] = found
  const host = `${protocol}.${name}${path}`.replace(/[^A-Za-z0-9._/-]/g, '-')
  return { port: port === undefined ? '' : `-${port}`, host }
}
