import { hash } from 'node:crypto'
import type { CodeSource } from '../sources/code-source.ts'
import type { ReportedChange, StoredChange } from './code-change.ts'

/** Everybody who sees the bug would read the texts of a change; of code that is not public they are not stored. */
export function hidesTexts({ is_private }: Pick<CodeSource, 'is_private'>, { isPrivate = false }: ReportedChange) {
  return is_private || isPrivate
}

/** The report, with what stands for its reviewers instead of their names where these are not stored. */
export function withoutReviewers(source: CodeSource, report: ReportedChange): ReportedChange {
  if (report.reviews === undefined || !hidesTexts(source, report)) return report
  const reviews = report.reviews.map(({ user, state }) => ({ user: unnamed(source, user), state }))
  return { ...report, reviews }
}

/** The same for the same reviewer, so that the last decision of each counts. */
function unnamed({ id }: CodeSource, user: string) {
  return `#${hash('sha256', `${id} ${user}`, 'hex').slice(0, DIGITS)}`
}

const DIGITS = 12

/** Whether this stands for a reviewer whose name is not stored. */
export function isUnnamed(user: string): boolean {
  return /^#[0-9a-f]{12}$/.test(user)
}

export function withoutTexts(
  source: CodeSource,
  report: ReportedChange,
  change: Omit<StoredChange, 'id'>,
): Omit<StoredChange, 'id'> {
  if (!hidesTexts(source, report)) return change
  const reviews = Object.entries(change.details.reviews).map(([user, review]) => [
    isUnnamed(user) ? user : unnamed(source, user),
    review,
  ])
  const details = { ...change.details, labels: [], reviews: Object.fromEntries(reviews) }
  return { ...change, title: '', author: '', details }
}
