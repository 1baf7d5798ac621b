import { copyFileSync } from 'node:fs'
import pg from 'pg'
import { readSettings } from '../../src/access/installation.ts'
import { makeInstallationSecrets } from '../../src/access/installation-secrets.ts'
import { changeParameters } from '../../src/admin/change-parameters.ts'
import { firstStart } from '../../src/admin/first-start.ts'
import { insertApiKey } from '../../src/people/api-keys/api-key-store.ts'
import { grantDirectly } from '../../src/people/group-grants.ts'
import { createGroup } from '../../src/people/groups/create-group.ts'
import { findGroups } from '../../src/people/groups/group-store.ts'
import { updateGroups } from '../../src/people/groups/update-groups.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { cast, PASSWORD, type Person, people } from './cast.ts'
import { postgresTemplate, sqliteTemplate } from './copy-database.ts'
import { cheapHashOf } from './password-cost.ts'

/** Migrated databases, made once per engine and run. A world is a copy of one, which takes milliseconds. */
export async function makeTemplates(postgresUrl: string, folder: string) {
  const migrated = sqliteTemplate(folder, 'migrated')
  await migrateAndClose(openDatabase(migrated))
  copyFileSync(migrated, sqliteTemplate(folder, 'cast'))
  await fill(openDatabase(sqliteTemplate(folder, 'cast')))
  const client = new pg.Client(`${postgresUrl}/postgres`)
  await client.connect()
  const [first, second] = [postgresTemplate('migrated'), postgresTemplate('cast')]
  await client.query(`create database ${first}`)
  await migrateAndClose(openDatabase(`${postgresUrl}/${first}`))
  await client.query(`create database ${second} template ${first} strategy file_copy`)
  await client.end()
  await fill(openDatabase(`${postgresUrl}/${second}`))
}

async function migrateAndClose(db: Db) {
  await migrate(db)
  await db.close()
}

async function fill(db: Db) {
  const admin = {
    LACEWING_ADMIN_LOGIN: cast.ada.login,
    LACEWING_ADMIN_PASSWORD: PASSWORD,
    LACEWING_ADMIN_API_KEY: cast.ada.apiKey,
  }
  await firstStart(db, readConfig(admin))
  await db.query((q) =>
    q
      .updateTable('users')
      .set({ password_hash: cheapHashOf(PASSWORD) })
      .where('id', '=', 1),
  )
  await makeInstallationSecrets(db)
  // Nor Markdown, as in an imported installation.
  await changeParameters(db, null, { use_markdown: false })
  // Not as a new installation, in which every user has editbugs: here rights are granted.
  await updateGroups(db, 1, ['editbugs'], { ...NO_CHANGE, user_regexp: '' })
  await createGroup(db, 1, {
    name: 'security',
    description: 'Security bugs',
    user_regexp: '',
    is_active: 1,
    is_bug_group: 1,
    icon_url: null,
    is_system: 0,
  })
  for (const person of people) await makePerson(db, person)
  // The mail about new accounts counts as sent, so that no world begins with it.
  for (const table of ['jobs', 'lanes'] as const) await db.query((q) => q.deleteFrom(table))
  await db.close()
}

const NO_CHANGE = {
  name: undefined,
  description: undefined,
  is_active: undefined,
  icon_url: undefined,
  member_groups: undefined,
  bless_groups: undefined,
  visible_groups: undefined,
}

async function makePerson(db: Db, { login, realName, apiKey, groups }: Person) {
  if (login === cast.ada.login) return
  const settings = await readSettings(db)
  const id = await createUser(db, settings, 1, {
    email: login,
    fullName: realName,
    passwordHash: cheapHashOf(PASSWORD),
  })
  for (const group of (await findGroups(db, groups)).values())
    if (group) await grantDirectly(db, id, group.id, 'member')
  await insertApiKey(db, {
    userId: id,
    secret: apiKey,
    description: 'test',
    scopes: 'read,write,admin',
    expiresAt: null,
  })
}
