import { send } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { Storage } from './storage.ts'

/** What was acknowledged and is missing. Rows are read from the database, files through the API. */
export async function lostFrom({ rows }: Storage, port: number, ledger: Ledger): Promise<string[]> {
  const bugs = setOf(await rows('select id, summary from bugs'), ({ id, summary }) => `${id} ${summary}`)
  const descriptions = setOf(await rows('select bug_id, text from comments where number = 0'), ({ bug_id, text }) =>
    [bug_id, text].join(' '),
  )
  const comments = setOf(await rows('select id, bug_id, text from comments'), ({ id, bug_id, text }) =>
    [id, bug_id, text].join(' '),
  )
  const changes = setOf(await rows('select bug_id, field, removed, added from bug_changes'), (row) =>
    JSON.stringify([row.bug_id, row.field, row.removed, row.added]),
  )
  return [
    ...ledger.bugs
      .filter(({ id, marker }) => !bugs.has(`${id} ${marker}`) || !descriptions.has(`${id} described by ${marker}`))
      .map(({ id }) => `bug ${id} is lost`),
    ...ledger.comments
      .filter(({ id, bugId, text }) => !comments.has([id, bugId, text].join(' ')))
      .map(({ id }) => `comment ${id} is lost`),
    ...ledger.changes
      .filter((it) => !changes.has(JSON.stringify([it.bugId, it.field, it.removed, it.added])))
      .map((it) => `a change is lost: ${JSON.stringify(it)}`),
    ...(await lostFiles(port, ledger)),
  ]
}

/** Each file is read once, in the first check after it was attached, and some old ones again. */
async function lostFiles(port: number, { attachments }: Ledger): Promise<string[]> {
  const lost: string[] = []
  const old = attachments.slice(0, -RECENT).filter(() => Math.random() < 0.1)
  for (const { id, data } of [...old, ...attachments.slice(-RECENT)]) {
    const answered = await send(port, 'GET', `/bug/attachment/${id}`)
    if (answered?.body.attachments?.[id]?.data !== data) lost.push(`attachment ${id} is lost`)
  }
  return lost
}

const RECENT = 500

function setOf(rows: readonly Record<string, unknown>[], keyOf: (row: Record<string, unknown>) => string) {
  return new Set(rows.map(keyOf))
}
