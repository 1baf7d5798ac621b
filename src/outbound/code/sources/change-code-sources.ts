import type { CallContext } from '../../../access/call.ts'
import type { SignedIn } from '../../../access/caller.ts'
import { requireLiveCredential } from '../../../access/live-credential.ts'
import { findProduct } from '../../../access/visibility/visible-products.ts'
import { readFieldDefinitions } from '../../../catalogue/fields/field-store.ts'
import { type Audited, type Changes, recordAudit, recordCreation, recordRemoval } from '../../../changes/audit.ts'
import { changesBetween } from '../../../changes/changes-between.ts'
import { getTarget } from '../../../people/users/user-targets.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { randomWord } from '../../../platform/secrets/secrets.ts'
import {
  type CodeSource,
  type Commenting,
  NEW_SOURCE,
  type Resolving,
  type SourceEdit,
  type SourceKind,
  writtenSource,
} from './code-source.ts'
import { codeSourceRules, LEAST_SECRET, MOST_SECRET } from './code-source-rules.ts'
import {
  deleteSource,
  forgetTexts,
  getSource,
  insertSource,
  listSources,
  sealed,
  updateSource,
} from './code-source-store.ts'

/** The parameters of the calls, each undefined if it was not sent. */
interface RequestedSource {
  name?: string | undefined
  kind?: string | undefined
  secret?: string | undefined
  api_token?: string | undefined
  api_address?: string | undefined
  user?: string | undefined
  is_active?: boolean | undefined
  repositories?: readonly string[] | undefined
  products?: readonly string[] | undefined
  networks?: readonly string[] | undefined
  link_words?: readonly string[] | undefined
  resolve_words?: readonly string[] | undefined
  resolves?: string | undefined
  resolve_status?: string | undefined
  resolve_resolution?: string | undefined
  comments?: string | undefined
  attaches?: boolean | undefined
  links_back?: boolean | undefined
  is_private?: boolean | undefined
}

type SourceContext = Pick<CallContext, 'db' | 'settings' | 'caller' | 'credentials'>

const MOST_SOURCES = 200
const MADE_SECRET_LENGTH = 40

/** Creates a source. Its secret is returned once. */
export function createSource(context: SourceContext, admin: SignedIn, requested: RequestedSource) {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    if (requested.user === undefined) throw errors.parameter_required({ name: 'user' })
    if ((await listSources(tx)).length >= MOST_SOURCES)
      throw errors.bad_value({
        name: 'name',
        value: '…',
        right: `there are ${MOST_SOURCES} sources already: delete one first`,
      })
    const edit = await changedSource(tx, context, { ...NEW_SOURCE, ...UNNAMED }, requested)
    const secret = requested.secret ? requireSecret('secret', requested.secret) : randomWord(MADE_SECRET_LENGTH)
    const token = requireToken(requested.api_token ?? '')
    const id = await insertSource(tx, edit, (await sealed(tx, { secret, token })) as { secret: string; token: string })
    await recordCreation(tx, audited(admin, id), edit.name)
    return { id, name: edit.name, secret }
  }, 'configuration')
}

const UNNAMED = { name: '', kind: '' as SourceKind, user_id: 0, user: '' }

/** Changes a source. A new secret that is generated is returned. */
export function changeSource(
  context: SourceContext,
  admin: SignedIn,
  ref: string,
  requested: RequestedSource & { new_secret?: boolean | undefined },
): Promise<{ id: number; changes: Changes; secret?: string }> {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const before = await getSource(tx, ref)
    const after = await changedSource(tx, context, before, requested)
    const made = requested.new_secret ? randomWord(MADE_SECRET_LENGTH) : undefined
    const secret = made ?? (requested.secret ? requireSecret('secret', requested.secret) : undefined)
    const token = requested.api_token === undefined ? undefined : requireToken(requested.api_token)
    requireTokenForNewAddress(before, after, token)
    if (after.is_private && !before.is_private) await forgetTexts(tx, before.id)
    await updateSource(
      tx,
      before.id,
      after,
      await sealed(tx, {
        ...(secret !== undefined && { secret }),
        ...(token !== undefined && { token }),
      }),
    )
    const changes: Changes = changesBetween(writtenSource(editOf(before)), writtenSource(after))
    if (secret !== undefined) changes.secret = { removed: HIDDEN, added: HIDDEN }
    if (token !== undefined)
      changes.api_token = { removed: before.token === '' ? '' : HIDDEN, added: token === '' ? '' : HIDDEN }
    await recordAudit(tx, audited(admin, before.id), changes)
    return { id: before.id, changes, ...(made !== undefined && { secret: made }) }
  }, 'configuration')
}

/** A user who chooses another address could otherwise read the token there, which is never shown. */
function requireTokenForNewAddress(before: CodeSource, after: SourceEdit, token: string | undefined) {
  if (before.token === '' || token !== undefined) return
  if (before.kind === after.kind && before.api_address === after.api_address) return
  throw errors.bad_value({
    name: 'api_token',
    value: '…',
    right: 'it must be sent again, or empty, where another API gets it',
  })
}

export function removeSource(context: SourceContext, admin: SignedIn, ref: string) {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const { id, name } = await getSource(tx, ref)
    await deleteSource(tx, id)
    await recordRemoval(tx, audited(admin, id), name)
    return { id, name }
  }, 'configuration')
}

const HIDDEN = '********'

function audited({ id: who }: SignedIn, objectId: number): Audited {
  return { who, class: 'CodeSource', objectId }
}

function editOf({ id: _, secret: __, token: ___, isAccountDisabled: ____, ...edit }: CodeSource): SourceEdit {
  return edit
}

async function changedSource(
  tx: Db,
  { settings, caller }: Pick<CallContext, 'settings' | 'caller'>,
  before: SourceEdit | CodeSource,
  requested: RequestedSource,
): Promise<SourceEdit> {
  const known = 'secret' in before ? editOf(before) : before
  const { user, products, secret: _, api_token: __, ...plain } = requested
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const edit: SourceEdit = { ...known, ...pick(given) }
  edit.name = edit.name.trim()
  edit.api_address = edit.api_address.trim().replace(/\/+$/, '')
  for (const list of ['repositories', 'networks', 'link_words', 'resolve_words'] as const)
    edit[list] = [...new Set(edit[list].map((it) => it.trim()).filter((it) => it !== ''))]
  if (user !== undefined) {
    const account = await getTarget(tx, user)
    if (account.disabled_text !== '')
      throw errors.bad_value({ name: 'user', value: user, right: 'it must be an account that is not disabled' })
    Object.assign(edit, { user_id: account.id, user: account.login })
  }
  if (products !== undefined) {
    const named = []
    for (const name of new Set(products)) {
      const found = await findProduct(tx, caller, settings, name)
      if (found === undefined) throw errors.no_such_object({ what: 'product', ref: name })
      named.push({ id: found.id, name: found.name })
    }
    edit.products = named
  }
  enforce(codeSourceRules, edit)
  await requireResolution(tx, edit)
  return edit
}

const EDITABLE: ReadonlySet<string> = new Set([...Object.keys(NEW_SOURCE), 'name', 'kind'])

function pick(given: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => EDITABLE.has(name))) as Partial<SourceEdit> & {
    resolves?: Resolving
    comments?: Commenting
  }
}

async function requireResolution(tx: Db, { resolve_status: status, resolve_resolution: resolution }: SourceEdit) {
  const fields = await readFieldDefinitions(tx)
  const closed = fields.valuesOf('bug_status').filter(({ is_open }) => is_open === 0)
  if (!closed.some(({ name }) => name === status))
    throw errors.bad_value({ name: 'resolve_status', value: status, right: 'it must be a status of closed bugs' })
  const isKnown = resolution !== 'DUPLICATE' && fields.valuesOf('resolution').some(({ name }) => name === resolution)
  if (!isKnown || resolution === '')
    throw errors.bad_value({
      name: 'resolve_resolution',
      value: resolution,
      right: 'it must be a resolution of this installation',
    })
}

function requireSecret(name: string, secret: string): string {
  if (secret.length < LEAST_SECRET || secret.length > MOST_SECRET || !/^[!-~]+$/.test(secret))
    throw errors.bad_value({
      name,
      value: '…',
      right: `it must have ${LEAST_SECRET} to ${MOST_SECRET} letters, digits and signs`,
    })
  return secret
}

function requireToken(token: string): string {
  if (token !== '' && (token.length > MOST_SECRET || !/^[!-~]+$/.test(token)))
    throw errors.bad_value({
      name: 'api_token',
      value: '…',
      right: `it must have at most ${MOST_SECRET} letters, digits and signs`,
    })
  return token
}
