import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { TIME_FIELDS } from '../../../bug-fields/recorded-fields.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { customFieldNamed } from '../../custom-values/custom-value.ts'
import { type BugState, lockBugStates } from '../../editing/bug-state.ts'
import { createBug } from '../../filing/create-bug.ts'
import { CREATE_PARAMS, type CreateParams } from '../../filing/create-params.ts'
import { flagsOfBugs } from '../../flags/flag-texts.ts'
import type { DraftProposal, ProposedLine } from '../proposal.ts'
import { type Draft, effectiveParams, ignoredNames, namedParams, requireFew, tried } from './draft.ts'
import { linesOfNewBug } from './lines-of-bug.ts'
import { audienceOf, bugsNamedIn } from './rows-of-change.ts'

type FilingContext = CallContext<typeof CREATE_PARAMS>

/** The new bug that a call would file, with all that it would have. */
export async function draftBug(context: FilingContext): Promise<Draft> {
  const { login } = requireLogin(context.caller)
  await requireFew(context, 1)
  const params = namedParams(context.params)
  const fields = await context.catalogue(keptFields)
  const { state, lines, ignored } = await tried(context, async (tx, current) => {
    const filed = await createBug({ ...current, params: { ...params } })
    return { ...(await filedBug(tx, filed.id, current, params)), ignored: filed.ignored ?? [] }
  })
  const isKnown = (name: string) => Object.hasOwn(CREATE_PARAMS, name) || customFieldNamed(fields, name) !== undefined
  const sent = effectiveParams(context.rawParams, isKnown, ignored)
  const row = {
    name: 'bug',
    params: pinned(sent, state, lines, login),
    lines,
    ...audienceOf(lines),
    // Only users who read all of a new bug can decide on it.
    isForTimeTrackers: lines.some(({ field }) => TIME_FIELDS.has(field)),
    bugs: bugsNamedIn(lines, fields.namingBugs, context.baseUrl),
  }
  const draft: DraftProposal = {
    kind: 'bug',
    bugId: null,
    attachmentId: null,
    productId: state.product_id,
    componentId: state.component_id,
    groupIds: state.groups.map(({ id }) => id),
    rows: [row],
  }
  return { proposals: [draft], ignored: ignoredNames(ignored) }
}

/** The bug that was just filed, and what it has. */
export async function filedBug(
  tx: BugTransaction,
  id: number,
  { catalogue }: Pick<CallContext, 'catalogue'>,
  params: Partial<CreateParams>,
): Promise<{ state: BugState; lines: ProposedLine[] }> {
  const [state] = await lockBugStates(tx, [id])
  if (state === undefined) throw new Error(`Bug ${id} was filed and is not there`)
  const flags = (await flagsOfBugs(tx, [id])).get(id) ?? []
  const description = {
    text: params.description ?? params.comment ?? '',
    isPrivate: params.comment_is_private ?? false,
    isMarkdown: params.is_markdown ?? false,
    tags: params.comment_tags ?? [],
  }
  const texts = flags.map(({ text }) => text)
  return { state, lines: linesOfNewBug(state, await catalogue(keptFields), texts, description) }
}

/** Lists of a bug that others may get by default, who would be other people then; and the text, which is always sent. */
const NOT_FROM_LINES: readonly string[] = ['cc', 'groups', 'comment']

/** What the bug would get by default becomes what was shown, also for another caller or at another time. */
function pinned(
  sent: Readonly<Record<string, unknown>>,
  state: BugState,
  lines: readonly ProposedLine[],
  login: string,
): Record<string, unknown> {
  const params: Record<string, unknown> = { ...sent }
  for (const { field, added } of lines)
    if (Object.hasOwn(CREATE_PARAMS, field) && !NOT_FROM_LINES.includes(field)) params[field] ??= added
  params.cc = state.cc.map((user) => user.login)
  params.groups = state.groups.map(({ name }) => name)
  if (params.needinfo_role === 'user') Object.assign(params, { needinfo_role: 'other', needinfo_from: [login] })
  return params
}
