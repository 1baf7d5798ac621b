import { sql } from 'kysely'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import { createComment } from '../../../bugs/comments/create-comment.ts'
import { updateBugs } from '../../../bugs/editing/update-bugs.ts'
import { updateParams } from '../../../bugs/editing/update-params.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { RequestParams } from '../../../platform/wire/params.ts'
import { readParams } from '../../../platform/wire/read-params.ts'
import type { ActingContext } from '../../receivers/act-as.ts'
import type { CodeSource } from '../sources/code-source.ts'
import { hidesTexts } from './change-texts.ts'
import type { ReportedChange } from './code-change.ts'
import type { NamedBug } from './named-bugs.ts'

/** Comments on a bug that was linked, if the source does so. Returns why it was refused. */
export async function commentOn(
  acting: ActingContext,
  source: CodeSource,
  report: ReportedChange,
  bugId: number,
): Promise<string[]> {
  if (!commentsOn(source, report) || (await hasCommentAbout(acting, report, bugId))) return []
  const text = textAbout(source, report)
  return refusalsOf(() => createComment(acting, String(bugId), { text, isPrivate: false, workTime: undefined }))
}

export function commentsOn({ comments }: CodeSource, { kind, isPast }: ReportedChange): boolean {
  return isPast !== true && (comments === 'all' || (comments === 'commits' && kind === 'commit'))
}

/**
 * Resolves a bug whose change was merged, if the source does so and the bug is open. A comment says why, unless there was one just now.
 * Returns why it was refused.
 */
export async function resolveBug(
  acting: ActingContext,
  source: CodeSource,
  report: ReportedChange,
  bug: NamedBug,
  isCommented: boolean,
): Promise<string[]> {
  const isWanted = source.resolves === 'always' || (source.resolves === 'words' && bug.resolves)
  if (!isWanted || report.isPast || !(await mayBeResolved(acting.db, bug.id))) return []
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
    .where(sql<boolean>`text || ${sql.lit('\n')} like ${p.pattern} escape '!'`)
    .limit(1),
)

/** Somebody who changes the title of a change to and fro gets one comment on each bug. */
async function hasCommentAbout({ db, caller }: ActingContext, report: ReportedChange, bugId: number) {
  const line = nameOf(report).replace(/[!%_]/g, '!$&')
  const pattern = `%:\n${line}\n%`
  return (await db.first(commentsAbout, { bugId, userId: caller.id, pattern })) !== undefined
}

/** Of a bug with several parts, which stays open when one of them has landed. The name is BMO's. */
const LEAVE_OPEN = 'leave-open'

const openness = statement<{ id: number }>()((q, p) =>
  bugsUnfiltered(q, 'The account of the source was found to see the bug.')
    .innerJoin('field_values', 'field_values.id', 'bugs.status_id')
    .select('field_values.is_open')
    .select((it) =>
      it
        .selectFrom('bug_keywords')
        .innerJoin('keywords', 'keywords.id', 'bug_keywords.keyword_id')
        .select(it.fn.countAll<number>().as('count'))
        .whereRef('bug_keywords.bug_id', '=', 'bugs.id')
        .where('keywords.name_key', '=', LEAVE_OPEN)
        .as('keeps_open'),
    )
    .where('bugs.id', '=', p.id),
)

/** Whether the bug is open, and nobody has said that it stays so. */
async function mayBeResolved(db: Db, id: number): Promise<boolean> {
  const bug = await db.first(openness, { id })
  return bug?.is_open === 1 && Number(bug.keeps_open) === 0
}

/** What was pushed, merged or proposed, where, and its first line. */
function textAbout(source: CodeSource, report: ReportedChange): string {
  const { kind, state, repository, branch, title, author } = report
  const what = kind === 'commit' ? 'Pushed to' : state === 'merged' ? 'Merged into' : 'Proposed for'
  const where = `${repository}${branch === '' ? '' : ` (${branch})`}`
  const isHidden = hidesTexts(source, report)
  const by = isHidden || author === '' ? '' : ` by ${author}`
  const name = nameOf(report)
  const text = [`${what} ${where}${by}:`, name, ...(isHidden || title === '' ? [] : [title])].join('\n')
  return withoutMentions(text)
}

/** All who can name a change could otherwise have the account mention people. */
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
