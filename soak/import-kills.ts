import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCommand } from './command.ts'

/** How far an import is, as parts of the whole. */
interface ImportProgress {
  /** Bytes of staged rows for each byte of the dump. */
  staged: number
  /** Bugs that are written. */
  bugs: number
  /** Indexes that are built. */
  indexes: number
}

/** Where the import is killed: once in each stage, in this order. */
const KILLS: readonly { stage: string; isReached(progress: ImportProgress): boolean }[] = [
  { stage: 'while the dump is read', isReached: ({ staged }) => staged >= 0.2 },
  { stage: 'when the first bugs are written', isReached: ({ bugs }) => bugs > 0 },
  { stage: 'when half of the bugs are written', isReached: ({ bugs }) => bugs >= 0.5 },
  { stage: 'when nearly all bugs are written', isReached: ({ bugs }) => bugs >= 0.8 },
  { stage: 'while indexes are built', isReached: ({ indexes }) => indexes >= 0.2 },
]

const POLL_MILLISECONDS = 5

/** Imports the dump and kills the import on the way, until it comes to its end. Returns how often it was killed. */
export async function importWithKills(
  folder: string,
  words: readonly string[],
  dump: { file: string; firstBug: number; bugs: number },
): Promise<{ kills: number; missed: number }> {
  for (let kills = 0; ; kills++) {
    const { child, ended, output } = startCommand(words, { LACEWING_DATA: folder })
    const killed = KILLS[kills]
    let isOver = false
    const reached = killed === undefined ? undefined : waitUntil(folder, dump, killed.isReached, () => isOver)
    const code = await Promise.race([
      ended,
      reached?.then((progress) => {
        if (progress === undefined) return ended
        child.kill('SIGKILL')
        console.log(
          `import: killed ${killed?.stage}: ${percent(progress.bugs)} of the bugs and ${percent(progress.indexes)} of the indexes were there`,
        )
        return ended
      }) ?? ended,
    ])
    isOver = true
    if (code === 0) {
      for (const { stage } of KILLS.slice(kills)) console.log(`import: it ended before it could be killed ${stage}`)
      return { kills, missed: KILLS.length - kills }
    }
    if (code !== null) throw new Error(`The import ended with ${code}: ${output()}`)
  }
}

/** Undefined if the import ended before. */
async function waitUntil(
  folder: string,
  dump: { file: string; firstBug: number; bugs: number },
  isReached: (progress: ImportProgress) => boolean,
  isOver: () => boolean,
): Promise<ImportProgress | undefined> {
  while (!isOver()) {
    const progress = progressOf(folder, dump)
    if (isReached(progress)) return progress
    await sleep(POLL_MILLISECONDS)
  }
  return undefined
}

function progressOf(folder: string, { file, firstBug, bugs }: { file: string; firstBug: number; bugs: number }) {
  const staged = sizeOf(join(folder, 'import/staging.db')) / sizeOf(file)
  const { positions = {}, indexes = [] } = stateIn(join(folder, 'lacewing.db'))
  const share = (step: string, whole: number, from = 0) => {
    const position = positions[step]
    return position === 'done' ? 1 : position === undefined ? 0 : Math.max(0, (position - from) / whole)
  }
  return { staged, bugs: share('bugs', bugs, firstBug), indexes: share('create indexes', indexes.length) }
}

interface State {
  positions?: Record<string, number | 'done'>
  indexes?: string[]
}

/** The journal of the import; empty before it begins to write. */
function stateIn(file: string): State {
  if (!existsSync(file)) return {}
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
    const row = db.prepare('select state from imports where finished_at is null').get()
    return row === undefined ? {} : JSON.parse(String(row.state))
  } catch {
    // The tables are being made.
    return {}
  } finally {
    db?.close()
  }
}

function sizeOf(file: string) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function percent(share: number) {
  return `${Math.round(100 * share)} %`
}
