import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type SelectField, VALUE_COLUMNS } from '../src/catalogue/fields/field.ts'
import { SET_ALL_LISTS } from '../src/platform/database/bug-lists.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../src/platform/text/words.ts'
import { allDelivered, makePeople } from './people-set.ts'
import { clientOf, type Server, startServer } from './processes.ts'
import { tellProgress } from './progress.ts'
import { numbersFrom, sentence } from './texts.ts'

const PEOPLE = 300
const PRODUCTS = 10
const COMPONENTS_EACH = 5
const KEYWORDS = 20
const BUGS_A_TRANSACTION = 10_000
/** This many bugs have the rare word in their summary, whatever the total. */
const RARE_BUGS = 25
export const RARE_WORD = 'zyzzyva'

/**
 * Fills an empty folder with an installation of this many bugs: three comments and three history lines per bug, an
 * attachment on every third, and typical lists; every fiftieth is restricted to a group. The catalogue is created
 * through the API, the bugs directly in the database, which takes a minute for 200,000. The data is always the same.
 */
export async function makeBugs(folder: string, count: number) {
  const server = await startServer(folder)
  await makePeople(server, PEOPLE)
  await makeCatalogue(server)
  await allDelivered(folder)
  await server.stop()
  const database = new DatabaseSync(join(folder, 'lacewing.db'))
  database.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -1000000')
  const rebuild = withoutIndexes(database)
  const insertBug = inserterOf(database, count)
  for (let first = 1; first <= count; first += BUGS_A_TRANSACTION) {
    database.exec('begin')
    const last = Math.min(first + BUGS_A_TRANSACTION - 1, count)
    for (let id = first; id <= last; id++) insertBug(id)
    database.exec('commit')
    tellProgress(last, count, 'bugs')
  }
  rebuild()
  // Marks these old events as delivered.
  database.exec('update outbox set position = id; update consumers set position = (select max(id) from outbox)')
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

/** Inserting is faster without indexes. Returns a function that creates them at the end. */
function withoutIndexes(database: DatabaseSync) {
  const later = database
    .prepare("select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null")
    .all()
  for (const { type, name } of later) database.exec(`drop ${type} ${name}`)
  return () => {
    database.exec('insert into summary_trigrams (rowid, text) select id, summary_key from bugs')
    database.exec(SET_ALL_LISTS)
    for (const { sql } of later) database.exec(String(sql))
  }
}

async function makeCatalogue(server: Server) {
  const admin = clientOf(server)
  for (let product = 0; product < PRODUCTS; product++) {
    const name = `Product ${product}`
    await admin.post('/product', { name, description: 'Made for measuring', version: '1.0' })
    for (let component = 0; component < COMPONENTS_EACH; component++)
      await admin.post('/component', {
        product: name,
        name: `Component ${component}`,
        description: 'Made for measuring',
        default_assignee: `person${product * COMPONENTS_EACH + component}@bench.test`,
      })
  }
  await admin.post('/group', { name: 'bench-security', description: 'Made for measuring' })
  for (let keyword = 0; keyword < KEYWORDS; keyword++)
    await admin.post('/keyword', { name: `keyword${keyword}`, description: 'Made for measuring' })
}

/** The choices that do not depend on one another. */
const CHOICES = (Object.keys(VALUE_COLUMNS) as SelectField[]).filter(
  (field) => field !== 'bug_status' && field !== 'resolution',
)

function inserterOf(database: DatabaseSync, count: number) {
  const into = (table: string, ...columns: string[]): StatementSync =>
    database.prepare(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`)
  const bug = into(
    'bugs',
    ...['id', 'product_id', 'component_id', 'version_id', 'milestone_id', 'status_id', 'resolution_id'],
    ...CHOICES.map((field) => VALUE_COLUMNS[field]),
    ...['creator_id', 'assigned_to_id', 'summary', 'summary_key', 'url'],
    ...['whiteboard', 'created_at', 'changed_at', 'is_confirmed', 'dupe_of_id', 'revision'],
  )
  const words = into('bug_words_index', 'rowid', 'words')
  const comment = into('comments', 'bug_id', 'number', 'user_id', 'at', 'text')
  const change = into('bug_changes', 'bug_id', 'user_id', 'at', 'field', 'removed', 'added')
  const event = into('outbox', 'kind', 'bug_id', 'user_id', 'at', 'facts')
  const attachment = into(
    'attachments',
    ...['bug_id', 'user_id', 'created_at', 'changed_at', 'file_name', 'summary', 'content_type', 'size'],
    'content_digest',
  )
  const lists = {
    group: into('bug_groups', 'bug_id', 'group_id'),
    cc: into('bug_cc', 'bug_id', 'user_id'),
    keyword: into('bug_keywords', 'bug_id', 'keyword_id'),
    alias: into('bug_aliases', 'bug_id', 'alias', 'alias_key'),
    dependency: into('bug_dependencies', 'blocked_id', 'depends_on_id'),
    seeAlso: into('bug_see_also', 'bug_id', 'url', 'url_key'),
  }
  const known = catalogueOf(database)
  const any = numbersFrom(20_010_101)
  const some = <Item>(items: readonly Item[]) => items[any(items.length)] as Item
  return (id: number) => {
    const place = some(known.components)
    const person = () => some(known.people)
    const at = timeOf(id)
    const duplicateOf = id > 10 && id % 50 === 0 ? 1 + any(id - 1) : null
    const summary = id % Math.ceil(count / RARE_BUGS) === 0 ? `${sentence(any, 7)} ${RARE_WORD}` : sentence(any, 8)
    const isOpen = duplicateOf === null && id % 3 === 0
    bug.run(
      ...[id, place.product_id, place.id, place.version_id, place.milestone_id],
      some(known.values('bug_status', (value) => (value.is_open === 1) === isOpen)),
      some(
        known.values('resolution', ({ name }) =>
          isOpen ? name === '' : duplicateOf === null ? !['', 'DUPLICATE'].includes(name) : name === 'DUPLICATE',
        ),
      ),
      ...CHOICES.map((field) => some(known.values(field))),
      ...[person(), person(), summary, summary, '', '', at, at, 1, duplicateOf, 2],
    )
    words.run(placeOf(id, SUMMARY_PLACE), wordsInSummary(summary).join(' '))
    for (let number = 0; number < 3; number++) {
      const text = sentence(any, 10 + any(80))
      comment.run(id, number, person(), at, text)
      words.run(placeOf(id, number), wordsIn(text).join(' '))
    }
    for (let number = 0; number < 3; number++)
      change.run(id, person(), at, 'whiteboard', number === 0 ? '' : 'before', number === 2 ? '' : 'before')
    event.run('bug.create', id, person(), at, '{}')
    if (id % 3 === 0)
      attachment.run(id, person(), at, at, 'fix.patch', sentence(any, 5), 'text/plain', 1000, 'e3b0'.repeat(16))
    if (id % 50 === 7) lists.group.run(id, known.group)
    for (const user of new Set([person(), person()])) lists.cc.run(id, user)
    if (id % 3 === 1) lists.keyword.run(id, some(known.keywords))
    if (id % 20 === 0) lists.alias.run(id, `alias-${id}`, `alias-${id}`)
    if (id > 10 && id % 5 === 0) lists.dependency.run(id, 1 + any(id - 1))
    if (id % 20 === 1) lists.seeAlso.run(id, `https://example.org/${id}`, `https://example.org/${id}`)
  }
}

interface Value {
  id: number
  name: string
  is_open: number | null
}

interface ComponentIds {
  id: number
  product_id: number
  version_id: number
  milestone_id: number
}

function catalogueOf(database: DatabaseSync) {
  const ids = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(({ id }) => id as number)
  const byField = new Map<string, Value[]>()
  for (const { field, ...value } of database
    .prepare('select fields.name as field, field_values.* from field_values join fields on fields.id = field_id')
    .all())
    byField.set(String(field), [...(byField.get(String(field)) ?? []), value as unknown as Value])
  const components = database
    .prepare(
      `select components.id, product_id, default_version_id as version_id, default_milestone_id as milestone_id
       from components join products on products.id = product_id where default_version_id is not null`,
    )
    .all()
  return {
    people: ids('select id from users'),
    group: ids("select id from groups where name = 'bench-security'")[0] as number,
    keywords: ids('select id from keywords'),
    components: components as unknown as ComponentIds[],
    values: (field: string, isGood: (value: Value) => boolean = () => true) =>
      (byField.get(field) ?? []).filter(isGood).map(({ id }) => id),
  }
}

/** One bug per minute, from the beginning of 2010. */
export function timeOf(id: number) {
  return new Date(Date.UTC(2010, 0, 1) + id * 60_000).toISOString().replace('.000', '')
}
