import type { CodeReport, ReportedChange } from '../linking/code-change.ts'
import { hasRepository } from '../sources/code-source.ts'
import { apiAddressOf, conduitRequest } from './api-address.ts'
import { answerOf, readChange, type SourceApi } from './read-change.ts'
import { revisionsIn } from './read-revisions.ts'

/** `isPassing` if the API may know it in a while. */
interface CompletedReport {
  report: CodeReport
  fault?: string
  isPassing?: boolean
}

/** Adds what the payload lacked and the API of the source knows; `fault` says why it could not be read. */
export async function readLacking(it: SourceApi, report: CodeReport): Promise<CompletedReport> {
  const { lacking = [], changes } = report
  if (lacking.length > 0) return readRevisions(it, report, lacking)
  if (!changes.some(isLacking) || it.token === '' || apiAddressOf(it.source) === undefined) return { report }
  const completed: ReportedChange[] = []
  for (const change of changes) {
    const read = isLacking(change) ? await readChange(it, change) : change
    if ('fault' in read && read.isPassing) return { report, ...read }
    completed.push('fault' in read ? change : read)
  }
  return { report: { ...report, changes: completed } }
}

function isLacking({ kind, state }: ReportedChange) {
  return kind === 'change' && state === 'unknown'
}

async function readRevisions(it: SourceApi, report: CodeReport, lacking: readonly string[]): Promise<CompletedReport> {
  const { source, token } = it
  const address = apiAddressOf(source)
  if (address === undefined) return { report, fault: 'the source has no address of its API' }
  if (token === '') return { report, fault: 'the source has no token for its API' }
  const params = Object.fromEntries(lacking.map((phid, index) => [`constraints[phids][${index}]`, phid]))
  const answer = await answerOf(it, conduitRequest(address, token, 'differential.revision.search', params))
  if ('fault' in answer) return { report, ...answer }
  const found = revisionsIn(source, answer.body, lacking.length)
  return {
    report: { ...report, changes: [...report.changes, ...found.filter((it) => hasRepository(source, it.repository))] },
  }
}
