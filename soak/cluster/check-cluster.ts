import pg from 'pg'
import { whiteboardOf } from './caller.ts'
import type { ClusterLedger } from './cluster-ledger.ts'

/** What was acknowledged and is missing, and what exists twice, on the primary. */
export async function wrongIn(primaryUrl: string, ledger: ClusterLedger): Promise<{ lost: string[]; twice: string[] }> {
  const client = new pg.Client(primaryUrl)
  await client.connect()
  try {
    const bugs = await client.query<{ id: number; summary: string; whiteboard: string }>(
      'select id, summary, whiteboard from bugs',
    )
    const comments = await client.query<{ bug_id: number; text: string }>('select bug_id, text from comments')
    const changes = await client.query<{ bug_id: number; added: string }>(
      `select bug_id, added from bug_changes where added like 'w%'`,
    )
    return {
      lost: lostOf(ledger, bugs.rows, comments.rows, changes.rows),
      twice: [
        ...twiceIn(bugs.rows.map(({ summary }) => summary)),
        ...twiceIn(comments.rows.map(({ text }) => text)),
        ...twiceIn(changes.rows.map(({ bug_id, added }) => `${bug_id} ${added}`)),
      ],
    }
  } finally {
    await client.end()
  }
}

function lostOf(
  ledger: ClusterLedger,
  bugs: readonly { id: number; summary: string; whiteboard: string }[],
  comments: readonly { bug_id: number; text: string }[],
  changes: readonly { bug_id: number; added: string }[],
): string[] {
  const stored = new Map(bugs.map((bug) => [bug.id, bug]))
  const said = new Set(comments.map(({ bug_id, text }) => `${bug_id} ${text}`))
  const changed = new Set(changes.map(({ bug_id, added }) => `${bug_id} ${added}`))
  return ledger.bugs.flatMap(({ id, summary, acknowledged, sent, comments }) => {
    const bug = stored.get(id)
    if (bug?.summary !== summary) return [`bug ${id} ${summary}`]
    const number = Number(bug.whiteboard.slice(1) || 0)
    return [
      ...(number < acknowledged || number > sent
        ? [`bug ${id} has ${number}, and ${acknowledged} was acknowledged`]
        : []),
      ...(acknowledged > 0 && !changed.has(`${id} ${whiteboardOf(acknowledged)}`)
        ? [`change ${acknowledged} of ${id}`]
        : []),
      ...comments.filter((text) => !said.has(`${id} ${text}`)).map((text) => `comment ${text} of ${id}`),
    ]
  })
}

function twiceIn(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([text, count]) => `${text} ${count} times`)
}
