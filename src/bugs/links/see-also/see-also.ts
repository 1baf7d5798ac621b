import { errors } from '../../../platform/errors.ts'
import { oldQueryIn } from '../../../platform/wire/old-query.ts'
import { idIn } from '../../../platform/wire/reference.ts'

/** A requested link: the number or alias of a bug of this installation, or a URL in another tracker. */
export type RequestedLink = { ref: string } | { url: string }

const LONGEST = 255
/** The largest number of links in one call. */
export const MOST_LINKS = 100

/**
 * Normalises a link, so that two spellings of one URL are the same link. Throws 112 if it is not a URL of a bug in a known kind of
 * tracker. `baseUrl` is the URL of this installation.
 */
export function readLink(input: string, baseUrl: string): RequestedLink {
  const text = input.trim()
  if (!/[/:]/.test(text)) return { ref: text }
  const url = addressIn(text)
  const ref = ownBugIn(url, baseUrl)
  if (ref !== undefined) return { ref }
  const kept = firstKind(url)
  if (kept === undefined) throw wrong(input, 'it must be the URL of a bug in a supported tracker')
  if (kept.length > LONGEST) throw wrong(input, `it must have at most ${LONGEST} characters`)
  return { url: kept }
}

/** The URL of a bug of this installation, as See Also has it. */
export function localBugUrl(bugId: number, baseUrl: string) {
  return `${withoutSlash(baseUrl)}/show_bug.cgi?id=${bugId}`
}

/** The bug of this installation at a URL in See Also; undefined for another tracker. */
export function ownBugAt(address: string, baseUrl: string): number | undefined {
  const ref = URL.canParse(address) ? ownBugIn(new URL(address), baseUrl) : undefined
  return ref === undefined ? undefined : idIn(ref)
}

function addressIn(text: string): URL {
  const spelt = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `http://${text}`
  if (/[\s\p{Cc}"<>\\^`{|}]/u.test(spelt) || !URL.canParse(spelt)) throw wrong(text, 'it must be a URL')
  const url = new URL(spelt)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong(text, 'it must begin with http:// or https://')
  if (url.username !== '' || url.password !== '') throw wrong(text, 'it must not contain a user name or password')
  if (url.pathname.length > LONGEST) throw wrong(text, `its path must have at most ${LONGEST} characters`)
  return url
}

/** The number or alias of the bug, if the URL is of this installation, with http or https. */
function ownBugIn(url: URL, baseUrl: string): string | undefined {
  const own = URL.canParse(baseUrl) ? new URL(`${withoutSlash(baseUrl)}/show_bug.cgi`) : undefined
  const isOurs = own !== undefined && url.host === own.host && url.pathname === own.pathname
  return isOurs ? (oldQueryIn(url.href).get('id')?.trim() ?? undefined) : undefined
}

type Kind = (url: URL) => string | undefined

function firstKind(url: URL): string | undefined {
  for (const kind of KINDS) {
    const kept = kind(url)
    if (kept !== undefined) return kept
  }
  return undefined
}

// compat: the kinds of trackers that Bugzilla knows without extensions, and the part of the URL that it keeps.
const KINDS: readonly Kind[] = [
  function launchpad({ hostname, pathname }) {
    const id = isAt(hostname, 'launchpad.net') ? /\/(?:\+)?bugs?\/(\d+)\/?$/.exec(pathname)?.[1] : undefined
    return id && `https://launchpad.net/bugs/${id}`
  },
  function googleCode({ hostname, pathname, searchParams }) {
    const project = hostname === 'code.google.com' ? /^\/p\/([^/]+)\/issues\/detail$/.exec(pathname)?.[1] : undefined
    const id = numberIn(searchParams, 'id')
    return project && id && `http://code.google.com/p/${project}/issues/detail?id=${id}`
  },
  function debian({ hostname, pathname, searchParams }) {
    if (hostname !== 'bugs.debian.org') return undefined
    const id = /\/bugreport\.cgi$/.test(pathname) ? numberIn(searchParams, 'bug') : /^\/(\d+)\/?$/.exec(pathname)?.[1]
    return id && `http://bugs.debian.org/${id}`
  },
  function gitHub({ hostname, pathname }) {
    const isIssue = hostname === 'github.com' && /^\/[^/]+\/[^/]+\/(?:issues|pull)\/\d+$/.test(pathname)
    return isIssue ? `https://github.com${pathname}` : undefined
  },
  function sourceForge(url) {
    const { hostname, pathname, searchParams } = url
    const isTracker = isAt(hostname, 'sourceforge.net') && /^\/tracker\//.test(pathname)
    const isItem =
      searchParams.get('func') === 'detail' && ['aid', 'group_id', 'atid'].every((name) => numberIn(searchParams, name))
    return isTracker && isItem ? withoutFragment(url) : undefined
  },
  function sameSoftware(url) {
    const id = /\/show_bug\.cgi$/.test(url.pathname) ? numberIn(oldQueryIn(url.href), 'id') : undefined
    return id && `${url.origin}${url.pathname}?id=${id}`
  },
  function mantis(url) {
    return /\/view\.php$/.test(url.pathname) && numberIn(url.searchParams, 'id') ? withoutFragment(url) : undefined
  },
  function jira({ origin, pathname }) {
    return /\/browse\/[A-Z][A-Z]+-\d+$/.test(pathname) ? origin + pathname : undefined
  },
  function trac({ origin, pathname }) {
    return /\/ticket\/\d+$/.test(pathname) ? origin + pathname : undefined
  },
]

function isAt(hostname: string, domain: string) {
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

function numberIn(params: URLSearchParams, name: string): string | undefined {
  const value = params.get(name) ?? ''
  return /^\d+$/.test(value) ? value : undefined
}

function withoutFragment({ origin, pathname, search }: URL) {
  return origin + pathname + search
}

function withoutSlash(baseUrl: string) {
  return baseUrl.replace(/\/+$/, '')
}

function wrong(url: string, right: string) {
  return errors.see_also_wrong({ url, right })
}
