import { authenticate } from '../access/authentication/authenticate.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { unsubscribe } from '../outbound/mail/unsubscribe/unsubscribe.ts'
import { type Unsubscription, unsubscriptionIn } from '../outbound/mail/unsubscribe/unsubscribe-address.ts'
import { escaped, PAGE_POLICY, page } from '../platform/wire/formats/html-page.ts'
import { type Answer, forOwnPages } from '../platform/wire/http/answer.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { originOf } from '../serving/authenticate-call.ts'
import { servePage, textPage } from '../serving/server-pages.ts'
import type { Service } from '../serving/service.ts'

const PATH = '/unsubscribe/:token'

/**
 * Where the header List-Unsubscribe of mail leads (RFC 8058). A mail program posts to it, without a login; a browser gets a page with a button,
 * because programs that check links open them, too. Nothing is said about the account, not even whether it exists.
 */
export function serveUnsubscribing(service: Service, http: HttpServer) {
  servePage(service, http, PATH, async (request, opened) => {
    const wanted = await requested(service, request, opened)
    if (wanted === undefined) return unknownAddress(service)
    const text = `<p>${sentenceOf(wanted, 'Stop')}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Stop this mail</button></form>`
    return htmlAnswer(service, 'Stop mail', text)
  })
  servePage(
    service,
    http,
    PATH,
    async (request, opened) => {
      const wanted = await requested(service, request, opened)
      if (wanted === undefined) return unknownAddress(service)
      await unsubscribe(service.authenticator.db, wanted)
      const settings = `${service.root}/settings/mail`
      const text = `<p>Done. ${sentenceOf(wanted, 'This stopped')}</p>
<p><a href="${escaped(settings)}">Your mail settings</a> can bring it back.</p>`
      return htmlAnswer(service, 'Stopped', text)
    },
    'POST',
  )
}

async function requested(service: Service, request: Request, opened: OpenRequest) {
  const { authenticator } = service
  const { caller, settings, address } = await authenticate(authenticator, {}, originOf(request))
  opened.address = address
  authenticator.rateLimit.count({ id: caller.id, address }, settings)
  return unsubscriptionIn(authenticator.db, request.path.token ?? '')
}

function unknownAddress(service: Service): Answer {
  const text = '<p>This address is not whole. Copy all of it from the mail, or change your mail settings.</p>'
  return { ...htmlAnswer(service, 'Not found', text), status: 404 }
}

function sentenceOf({ kind, ids }: Unsubscription, verb: string) {
  if (kind === 'digest') return `${verb} the daily digest, and all mail about bugs but requests.`
  return kind === 'bug'
    ? `${verb} all mail about bug ${ids[0]} to you.`
    : `${verb} mail about the product, component or keyword that the mail was about. Mail about bugs that are yours still comes.`
}

function htmlAnswer({ root }: Service, title: string, text: string): Answer {
  const policy = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")
  const it = textPage('text/html; charset=UTF-8', page(title, `<h1>${title}</h1>\n${text}`, root))
  return forOwnPages({
    ...it,
    headers: { ...it.headers, 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
  })
}
