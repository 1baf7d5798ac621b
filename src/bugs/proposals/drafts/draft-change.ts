import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { customFieldNamed } from '../../custom-values/custom-value.ts'
import type { BugUpdateResult } from '../../editing/batch/outcome.ts'
import { makeUpdate, presentUpdate } from '../../editing/update-bugs.ts'
import { updateParams } from '../../editing/update-params.ts'
import { addedLine, type DraftProposal, lineOf, type ProposedLine } from '../proposal.ts'
import { type Draft, effectiveParams, ignoredNames, namedParams, placesOf, requireFew } from './draft.ts'
import { linesOfComment, rowsOfChange } from './rows-of-change.ts'

type ChangeContext = CallContext<typeof updateParams>

/** What a change of bugs would do: a proposal for each bug that it changes. A dry run is one here too. */
export async function draftChange(context: ChangeContext, refs: readonly string[]): Promise<Draft> {
  const { caller, rawParams, baseUrl } = context
  const { login } = requireLogin(caller)
  const params = { ...namedParams(context.params), dry_run: true }
  if (context.params.dry_run) return { usual: presentUpdate(await makeUpdate({ ...context, params }, refs)) }
  await requireFew(context, refs.length)
  const made = await makeUpdate({ ...context, params }, refs)
  const fields = await context.catalogue(keptFields)
  const isKnown = (name: string) => Object.hasOwn(updateParams, name) || customFieldNamed(fields, name) !== undefined
  const effective = effectiveParams(rawParams, isKnown, made.ignored)
  const comment = commentOnChange(params)
  const places = await placesOf(
    context.db,
    made.outcomes.map(({ id }) => id),
  )
  const proposals = made.outcomes.flatMap((outcome): DraftProposal[] => {
    const lines = [...linesOfUpdate(outcome), ...comment]
    const rows = rowsOfChange(pinned(effective, lines, login), lines, { namingBugs: fields.namingBugs, baseUrl })
    const place = places.get(outcome.id)
    if (rows.length === 0 || place === undefined) return []
    return [{ kind: 'change', bugId: outcome.id, attachmentId: null, groupIds: [], ...place, rows }]
  })
  if (proposals.length === 0) return { usual: presentUpdate(made) }
  return { proposals, ignored: ignoredNames(made.ignored) }
}

/** What an update does to a bug. What the bug was a duplicate of before is no secret to take back, but may be one to read. */
export function linesOfUpdate({ lines, changes }: BugUpdateResult): ProposedLine[] {
  const target = changes.dupe_of?.added ?? ''
  return [...lines.map(lineOf), ...(target === '' ? [] : [addedLine('dupe_of', target)])]
}

export function commentOnChange({ comment, longdesc, comment_tags: tags = [] }: ChangeContext['params']) {
  const { body, isPrivate = false, isMarkdown = false } = comment ?? {}
  return linesOfComment({ text: body ?? longdesc ?? '', isPrivate, isMarkdown, tags })
}

/** What would mean something else with another caller, or at another time, becomes the value that was shown. */
function pinned(params: Readonly<Record<string, unknown>>, lines: readonly ProposedLine[], login: string) {
  const { reset_assigned_to, reset_qa_contact, ...others } = params
  const named: Record<string, unknown> = { ...others }
  for (const [reset, field] of [
    [reset_assigned_to, 'assigned_to'],
    [reset_qa_contact, 'qa_contact'],
  ] as const) {
    const line = reset === undefined ? undefined : lines.find((it) => it.field === field)
    if (line !== undefined) named[field] ??= line.added
  }
  if (named.needinfo_role === 'user') Object.assign(named, { needinfo_role: 'other', needinfo_from: [login] })
  return named
}
