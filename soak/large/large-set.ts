import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeBugs } from '../../bench/bug-set.ts'
import { numbersFrom, sentence } from '../../bench/texts.ts'
import { placeOf, wordsIn } from '../../src/platform/text/words.ts'

/** The sizes that the large installation has. */
export const LARGE = {
  bugs: 120_000,
  bugsOfOneUser: 100_000,
  comments: 50_000,
  components: 10_000,
  users: 100_000,
  groups: 1000,
  savedSearches: 10_000,
} as const

/** Bug 1 has all the comments; bugs of the products 1 to 9 are assigned to this user. */
export const BUSY_USER = 'person7@bench.test'
/** This user is a member of all the groups. */
export const GROUPED_USER = 'person8@bench.test'
const SAVED_EACH = 400

/** Fills a folder with an installation that has much of everything: directly in the database, because the API would take hours. */
export async function makeLargeSet(folder: string) {
  await makeBugs(folder, LARGE.bugs)
  const database = new DatabaseSync(join(folder, 'lacewing.db'))
  database.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -1000000')
  database.exec('begin')
  insertUsers(database)
  insertComponents(database)
  insertGroups(database)
  insertSavedSearches(database)
  insertComments(database)
  const busy = idOf(database, BUSY_USER)
  database.prepare('update bugs set assigned_to_id = ? where id > 1 and id <= ?').run(busy, LARGE.bugsOfOneUser + 1)
  database.exec('update state_versions set groups = groups + 1, catalogue = catalogue + 1')
  database.exec('commit')
  database.exec('analyze; pragma wal_checkpoint(truncate)')
  database.close()
}

function idOf(database: DatabaseSync, login: string): number {
  return database.prepare('select id from users where login = ?').get(login)?.id as number
}

function insertUsers(database: DatabaseSync) {
  const insert = database.prepare(
    `insert into users (login, login_key, real_name, real_name_key, disabled_text, email_enabled, created_at)
     values (?1, ?1, ?2, ?3, '', 1, '2020-01-01T00:00:00Z')`,
  )
  for (let number = 0; number < LARGE.users; number++)
    insert.run(`many${number}@bench.test`, `Many People ${number}`, `many people ${number}`)
}

function insertComponents(database: DatabaseSync) {
  const { id } = database.prepare("select id from products where name = 'Product 0'").get() as { id: number }
  const insert = database.prepare(
    `insert into components (product_id, name, name_key, description, default_assignee_id, is_active)
     values (?, ?, ?, 'Made for measuring', 1, 1)`,
  )
  for (let number = 0; number < LARGE.components; number++)
    insert.run(id, `Large Component ${number}`, `large component ${number}`)
}

/** Every hundredth bug is restricted to one of them. */
function insertGroups(database: DatabaseSync) {
  const group = database.prepare(
    `insert into groups (name, name_key, description, is_bug_group, user_regexp, is_active, is_system)
     values (?1, ?1, 'Made for measuring', 1, '', 1, 0) returning id`,
  )
  const member = database.prepare(
    `insert into user_group_grants (user_id, group_id, right, source) values (?, ?, 'member', 'direct')`,
  )
  const restrict = database.prepare('insert or ignore into bug_groups (bug_id, group_id) values (?, ?)')
  const user = idOf(database, GROUPED_USER)
  for (let number = 0; number < LARGE.groups; number++) {
    const { id } = group.get(`large-group-${number}`) as { id: number }
    member.run(user, id)
    for (let bug = 100 * (number + 1); bug <= LARGE.bugs; bug += 100 * LARGE.groups) restrict.run(bug, id)
  }
}

/** Shared with groups of the one user, who can use all of them. */
function insertSavedSearches(database: DatabaseSync) {
  const { id: group } = database.prepare("select id from groups where name = 'large-group-0'").get() as { id: number }
  const insert = database.prepare(
    `insert into saved_searches (user_id, kind, name, name_key, query, group_id) values (?, 'search', ?, ?, ?, ?)`,
  )
  const owners = database.prepare("select id from users where login like 'many%' order by id").all()
  for (let number = 0; number < LARGE.savedSearches; number++) {
    const owner = owners[Math.floor(number / SAVED_EACH)]?.id as number
    insert.run(owner, `Search ${number}`, `search ${number}`, `quicksearch=word${number}&limit=20`, group)
  }
}

function insertComments(database: DatabaseSync) {
  const comment = database.prepare(
    `insert into comments (bug_id, number, user_id, at, text) values (1, ?, ?, '2020-01-01T00:00:00Z', ?)`,
  )
  const words = database.prepare('insert into bug_words_index (rowid, words) values (?, ?)')
  const any = numbersFrom(7)
  for (let number = 3; number < LARGE.comments; number++) {
    const text = sentence(any, 20 + any(40))
    comment.run(number, 2 + any(200), text)
    words.run(placeOf(1, number), wordsIn(text).join(' '))
  }
}
