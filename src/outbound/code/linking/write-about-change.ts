import { sql } from 'kysely'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import { createComment } from '../../../bugs/comments/create-comment.ts'
import { updateBugs } from '../../../bugs/editing/update-bugs.ts'
import { updateParams } from '../../../bugs/editing/update-params.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type RequestParams, readParams } from '../../../platform/wire/params.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource } from '../sources/code-source.ts'
import type { ReportedChange } from './code-change.ts'
import type { NamedBug } from './named-bugs.ts'

/** Comments on a bug that was linked, if the source does so. Returns why it was refused. */
export async function commentOn(
  acting: ActingContext,
  source: CodeSource,
  report: ReportedChange,
  bugId: number,
): Promise<string[]> {
  const isWanted = source.comments === 'all' || (source.comments === 'commits' && report.kind === 'commit')
  if (!isWanted || report.isPast || (await hasCommentAbout(acting, report, bugId))) return []
  const text = textAbout(source, report)
  return refusalsOf(() => createComment(acting, String(bugId), { text, isPrivate: false, workTime: undefined }))
}

/** Resolves a bug whose change was merged, if the source does so and the bug is open. Returns why it was refused. */
export async function resolveBug(
  acting: ActingContext,
  source: CodeSource,
  report: ReportedChange,
  bug: NamedBug,
): Promise<string[]> {
  const isWanted = source.resolves === 'always' || (source.resolves === 'words' && bug.resolves)
  if (!isWanted || report.isPast || !(await isBugOpen(acting.db, bug.id))) return []
  const isCommented = source.comments === 'all' || (source.comments === 'commits' && report.kind === 'commit')
  const rawParams: RequestParams = {
    status: source.resolve_status,
    resolution: source.resolve_resolution,
    ...(!isCommented && { comment: { body: textAbout(source, report) } }),
  }
  const params = readParams(updateParams, rawParams)
  return refusalsOf(() => updateBugs({ ...acting, rawParams, params, ifMatch: undefined }, [String(bug.id)]))
}

const commentsAbout = statement<{ bugId: number; userId: number; pattern: string }>()((q, p) =>
  q
    .selectFrom('comments')
    .select('id')
    .where('bug_id', '=', p.bugId)
    .where('user_id', '=', p.userId)
    .where(sql<boolean>`text like ${p.pattern} escape '!'`)
    .limit(1),
)

/** Somebody who changes the title of a change to and fro gets one comment on each bug. */
async function hasCommentAbout({ db, caller }: ActingContext, report: ReportedChange, bugId: number) {
  const line = nameOf(report).replace(/[!%_]/g, '!$&')
  const pattern = `%:\n${line}%`
  return (await db.first(commentsAbout, { bugId, userId: caller.id, pattern })) !== undefined
}

const openness = statement<{ id: number }>()((q, p) =>
  bugsUnfiltered(q, 'The account of the source was found to see the bug.')
    .innerJoin('field_values', 'field_values.id', 'bugs.status_id')
    .select('field_values.is_open')
    .where('bugs.id', '=', p.id),
)

async function isBugOpen(db: Db, id: number): Promise<boolean> {
  return (await db.first(openness, { id }))?.is_open === 1
}

/** What was pushed, merged or proposed, where, and its first line. */
function textAbout({ is_private }: CodeSource, report: ReportedChange): string {
  const { kind, state, repository, branch, title, author } = report
  const what = kind === 'commit' ? 'Pushed to' : state === 'merged' ? 'Merged into' : 'Proposed for'
  const where = `${repository}${branch === '' ? '' : ` (${branch})`}`
  const by = is_private || author === '' ? '' : ` by ${author}`
  const name = nameOf(report)
  const text = [`${what} ${where}${by}:`, name, ...(is_private || title === '' ? [] : [title])].join('\n')
  return withoutMentions(text)
}

/** Whoever can name a change could otherwise have the account mention people. */
function withoutMentions(text: string) {
  return text.replaceAll('@', '@\u2060')
}

/** The line of a comment that says which change it is about. */
function nameOf({ address, number }: ReportedChange) {
  return (address || number).replaceAll('@', '%40')
}

/** What the account may not do is left out, and the rest is done. */
async function refusalsOf(work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work()
    return []
  } catch (fault) {
    if (fault instanceof ApiError && fault.status < 500) return [fault.reason]
    throw fault
  }
}
