import { ownBugAt } from '../../../bugs/links/see-also/see-also.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'
import { type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import { type Addresses, rewriter } from './addresses.ts'

const bugIds = statement<object>()((q) => q.selectFrom('bugs').select('id'))
const setDuplicate = statement<{ id: number; of: number }>()((q, p) =>
  q.updateTable('bugs').set({ dupe_of_id: p.of }).where('id', '=', p.id),
)

/** Duplicates, dependencies and See Also: they need all bugs to be there. */
export async function linksStep(context: ImportContext, addresses: Addresses) {
  const { journal, db, staging } = context
  if (journal.isDone('links')) return
  const bugs = new Set((await db.all(bugIds, {})).map(({ id }) => id))
  await journal.step('duplicates', (tx) => importDuplicates(context, tx, bugs))
  await journal.step('dependencies', (tx) => importDependencies(context, tx, bugs))
  await journal.step('see also', (tx) => importSeeAlso(context, tx, bugs, addresses))
  await journal.step('links', async () => {
    const used = staging.first<{ n: number }>('select count(*) as n from tag where id in (select tag_id from bug_tag)')
    journal.made('tag', used?.n ?? 0)
    journal.leftOut('tag', 'no bug has it', staging.count('tag') - (used?.n ?? 0))
    return 'done'
  })
}

async function importDuplicates(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  bugs: ReadonlySet<number>,
): Promise<'done'> {
  const duplicateOf = new Map<number, number>()
  const isDuplicate = new Set(
    staging.all(`select bug_id from bugs where upper(resolution) = 'DUPLICATE'`).map((row) => numberOf(row.bug_id)),
  )
  for (const row of staging.all('select * from duplicates order by dupe')) {
    const [id, of] = [numberOf(row.dupe) ?? 0, numberOf(row.dupe_of) ?? 0]
    if (!bugs.has(id) || !bugs.has(of) || duplicateOf.has(id))
      journal.refuse('duplicates', id, 'one of the bugs is not there, or it is there twice', row)
    else if (!isDuplicate.has(id))
      journal.refuse('duplicates', id, `bug ${id} is not closed as a duplicate any more`, row)
    else if (leadsTo(duplicateOf, of, id))
      journal.refuse('duplicates', id, `bug ${id} would be a duplicate of itself`, row)
    else {
      duplicateOf.set(id, of)
      await tx.all(setDuplicate, { id, of })
      journal.made('duplicates')
    }
  }
  return 'done'
}

function leadsTo(duplicateOf: ReadonlyMap<number, number>, from: number, to: number) {
  for (let at: number | undefined = from; at !== undefined; at = duplicateOf.get(at)) if (at === to) return true
  return false
}

async function importDependencies(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  bugs: ReadonlySet<number>,
): Promise<'done'> {
  const dependsOn = new Map<number, Set<number>>()
  const rows = []
  for (const row of staging.all('select * from dependencies order by blocked, dependson')) {
    const [blocked, on] = [numberOf(row.blocked) ?? 0, numberOf(row.dependson) ?? 0]
    const own = dependsOn.get(blocked) ?? new Set()
    const key = `${blocked} → ${on}`
    if (!bugs.has(blocked) || !bugs.has(on)) journal.refuse('dependencies', key, 'one of the bugs is not there', row)
    else if (own.has(on)) journal.joined('dependencies')
    else if (reaches(dependsOn, on, blocked)) journal.refuse('dependencies', key, 'it would close a circle', row)
    else {
      dependsOn.set(blocked, own.add(on))
      rows.push({ blocked_id: blocked, depends_on_id: on })
      journal.made('dependencies')
    }
  }
  await insertRows(tx, 'bug_dependencies', rows)
  return 'done'
}

function reaches(dependsOn: ReadonlyMap<number, ReadonlySet<number>>, from: number, to: number) {
  const seen = new Set([from])
  for (const id of seen) {
    if (id === to) return true
    for (const next of dependsOn.get(id) ?? []) seen.add(next)
  }
  return false
}

async function importSeeAlso(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  bugs: ReadonlySet<number>,
  addresses: Addresses,
): Promise<'done'> {
  const rewrite = rewriter(addresses)
  const base = addresses.new ?? addresses.old
  const seen = new Set<string>()
  const rows = []
  for (const row of staging.all('select * from bug_see_also order by bug_id, id')) {
    const [id, bug] = [numberOf(row.id), numberOf(row.bug_id) ?? 0]
    const url = rewrite(stagedText(row.value))
    const key = `${bug} ${fold(url)}`
    if (!bugs.has(bug) || url === '')
      journal.refuse('bug_see_also', stagedText(row.id), `its bug ${bug} is not there`, row)
    else if (seen.has(key)) journal.joined('bug_see_also')
    else {
      seen.add(key)
      const isLocal = stagedText(row.class).endsWith('::Local') || stagedText(row.class) === ''
      const local = base === undefined ? localIdIn(url, isLocal) : (ownBugAt(url, base) ?? undefined)
      rows.push({
        id: isId(id) ? id : null,
        bug_id: bug,
        url,
        url_key: fold(url),
        local_bug_id: local !== undefined && bugs.has(local) ? local : null,
      })
      journal.made('bug_see_also')
    }
  }
  let next = Math.max(0, ...rows.map(({ id }) => id ?? 0))
  const numbered = rows.map((row) => ({ ...row, id: row.id ?? ++next }))
  await insertRows(tx, 'bug_see_also', numbered)
  return 'done'
}

/** Without the old address, Bugzilla’s own class of the link says that it is local. */
function localIdIn(url: string, isLocal: boolean): number | undefined {
  const id = isLocal ? /show_bug\.cgi\?id=(\d+)$/.exec(url)?.[1] : undefined
  return id === undefined ? undefined : Number(id)
}
