import { hash } from 'node:crypto'
import type { CallContext } from '../../../access/call.ts'
import { changeSource } from '../../../access/change-source.ts'
import { createComment } from '../../../bugs/comments/create-comment.ts'
import { ApiError, errors } from '../../../platform/errors.ts'
import { laterTurn } from '../../../platform/monitoring/event-loop.ts'
import { runFromSource } from '../../../platform/queues/current-caller.ts'
import { readJsonBody } from '../../../platform/wire/json/json-body.ts'
import { type ActingContext, actAsUsers } from '../../receivers/act-as.ts'
import { applyChange } from '../linking/apply-report.ts'
import { attachChange } from '../linking/attach-change.ts'
import { hidesTexts } from '../linking/change-texts.ts'
import type { ReportedChange } from '../linking/code-change.ts'
import { planLinksBack } from '../linking/plan-links-back.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { listSources, unsealed } from '../sources/code-source-store.ts'
import { isAuthentic, type SentDelivery } from './check-delivery.ts'
import { noteDelivery, settleDelivery } from './code-delivery-store.ts'
import { type Payload, textAt } from './payload.ts'
import { nameOfDelivery, readDelivery } from './read-delivery.ts'
import { type ArrivedDelivery, withJson } from './receive-delivery.ts'

type BmoContext = Pick<CallContext, 'db' | 'authenticator' | 'baseUrl' | 'contents'>

/** A webhook of GitHub at a path of BMO, which does not name the source: it is the one whose secret has signed it. */
export interface BmoDelivery {
  source: CodeSource
  /** The account of the source; undefined if it is disabled. */
  acting: ActingContext | undefined
  event: string
  payload: Payload
  changes: readonly ReportedChange[]
}

/** Each of them computes a signature of the whole body. */
const MOST_SOURCES_TRIED = 20

export async function receiveAsBmo(
  context: BmoContext,
  arrived: ArrivedDelivery,
  work: (delivery: BmoDelivery) => Promise<{ outcome: 'linked' | 'ignored' | 'left out'; result: BmoResult }>,
): Promise<BmoResult> {
  const { db, authenticator, baseUrl } = context
  const sent = await withJson(arrived)
  const source = await signedSource(context, sent)
  const payload = await readJsonBody(sent.json)
  const { event, delivery } = nameOfDelivery(source, sent.headers, payload)
  if (event === 'ping') return { error: 0 }
  const { changes } = readDelivery(source, event, payload)
  const digest = hash('sha256', sent.json, 'base64url')
  const id = await db.transaction((tx) => noteDelivery(tx, { sourceId: source.id, digest, delivery, event }))
  if (id === undefined) throw errors.delivery_repeated()
  const { installation } = authenticator
  const acting = (await actAsUsers({ db, installation, baseUrl: () => baseUrl }, [source.user_id])).get(source.user_id)
  try {
    const made = { source, acting, event, payload, changes }
    const { outcome, result } = await runFromSource(changeSource('code', source.id), () => work(made))
    await settleDelivery(db, id, acting === undefined ? 'stopped' : outcome, '')
    return result
  } catch (fault) {
    await settleDelivery(db, id, 'failed', 'it could not be applied')
    throw fault
  }
}

/** compat: what BMO answers, with the status 200: `error` is 1 if nothing was done. */
export type BmoResult = {
  error: 0 | 1
  message?: string
  id?: number
  bugs?: Record<string, { id: number; text: string }>
}

async function signedSource({ db }: BmoContext, sent: SentDelivery): Promise<CodeSource> {
  const sources = (await listSources(db)).filter(({ kind, is_active }) => kind === 'github' && is_active)
  for (const [place, source] of sources.slice(0, MOST_SOURCES_TRIED).entries()) {
    if (place > 0) await laterTurn()
    if (isAuthentic(source, (await unsealed(db, source)).secret, sent)) return source
  }
  throw errors.delivery_not_authentic()
}

/** Attaches a new pull request to the bug that its title names. */
export function receivePullRequest(context: BmoContext, arrived: ArrivedDelivery): Promise<BmoResult> {
  return receiveAsBmo(context, arrived, async ({ source, acting, event, payload, changes }) => {
    const [change] = changes
    if (event !== 'pull_request' || change === undefined) return nothing('It is not about a pull request.')
    if (acting === undefined) return nothing(NOT_LINKED)
    const { unlinked, linked } = await applyChange(acting, source, change)
    const attaching = { ...source, attaches: true }
    const { ids } = await attachChange(context.contents, acting, attaching, change, unlinked)
    await planLinksBack(acting, source, change, linked)
    const [named] = (change.names ?? []).filter(({ namedIn }) => namedIn === 'title')
    if (named === undefined) return nothing('Its title names no bug.')
    const id = ids.get(named.id)
    if (id !== undefined) return { outcome: 'linked', result: { error: 0, id } }
    return nothing(textAt(payload, 'action') === 'opened' ? NOT_LINKED : 'It is known already.')
  })
}

/** The same for a bug that does not exist, and for one that the source may not touch. */
const NOT_LINKED = 'The bug does not exist, or the pull request is attached already.'

function nothing(message: string): { outcome: 'ignored'; result: BmoResult } {
  return { outcome: 'ignored', result: { error: 1, message } }
}

/** Comments on each bug that pushed commits name, once for the push. */
export function receivePush(context: BmoContext, arrived: ArrivedDelivery): Promise<BmoResult> {
  return receiveAsBmo(context, arrived, async ({ source, acting, event, changes }) => {
    if (event !== 'push') return nothing('It is not a push.')
    const bugs: BmoResult['bugs'] = {}
    if (acting === undefined) return { outcome: 'ignored', result: { error: 0, bugs } }
    const texts = new Map<number, string[]>()
    for (const change of changes) {
      const { linked } = await applyChange(acting, source, change, 'elsewhere')
      for (const id of linked) texts.set(id, [...(texts.get(id) ?? []), textOf(source, change)])
    }
    for (const [bugId, parts] of texts) {
      const text = parts.join('\n\n').slice(0, LONGEST_COMMENT)
      const made = await commentIfAllowed(acting, bugId, text)
      if (made !== undefined) bugs[bugId] = { id: made, text }
    }
    return { outcome: texts.size > 0 ? 'linked' : 'ignored', result: { error: 0, bugs } }
  })
}

const LONGEST_COMMENT = 20_000

/** All who can name a commit could otherwise have the account mention people. */
function textOf(source: CodeSource, change: ReportedChange): string {
  const { author, address, number, branch, title } = change
  const isHidden = hidesTexts(source, change)
  const lines = [
    ...(isHidden || author === '' ? [] : [`Authored by ${author}`]),
    (address || number).replaceAll('@', '%40'),
    `[${branch}]${isHidden ? '' : ` ${title}`}`,
  ]
  return lines.join('\n').replaceAll('@', '@\u2060')
}

async function commentIfAllowed(acting: ActingContext, bugId: number, text: string): Promise<number | undefined> {
  try {
    return (await createComment(acting, String(bugId), { text, isPrivate: false, workTime: undefined })).id
  } catch (fault) {
    if (fault instanceof ApiError && fault.status < 500) return undefined
    throw fault
  }
}
