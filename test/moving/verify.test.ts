import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { readSettings } from '../../src/access/installation.ts'
import { REST_DEFAULTS } from '../../src/moving/rest-client/rest-server.ts'
import { KNOWN_DIFFERENCES } from '../../src/moving/verify/known-differences.ts'
import { exitCodeOf, resultAsJson, resultAsText } from '../../src/moving/verify/print-result.ts'
import { readPeople } from '../../src/moving/verify/verify-people.ts'
import { type VerifyOptions, verifyServers } from '../../src/moving/verify/verify-servers.ts'
import { UserNumbers } from '../../src/moving/verify/verify-users.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { Contents } from '../../src/platform/contents/contents.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { NO_PROGRESS } from '../../src/platform/progress.ts'
import { openDatabaseOf } from '../../src/prepare.ts'
import {
  ADMIN_KEY,
  exported,
  INSIDER_KEY,
  imported,
  migratedConfig,
  richInstallation,
  withServer,
} from '../support/archive.ts'
import { root } from '../support/doc-examples.ts'
import { isEveryCombination } from '../support/sample.ts'

const PEOPLE = readPeople([`admin:${ADMIN_KEY}`, 'insider'], undefined, { OLD_KEY_INSIDER: INSIDER_KEY })

function verify(old: string, own: string, more: Partial<VerifyOptions> = {}) {
  const options = { old, new: own, people: PEOPLE, sample: undefined, concurrency: 2, examples: 3, rest: REST_DEFAULTS }
  return verifyServers({ ...options, ...more }, NO_PROGRESS)
}

/** Changes of the new installation, and where each of them shows: the kind of the call, the path and the kind of difference. */
const PLANTED: readonly (readonly [what: string, change: string, shows: string])[] = [
  ['a summary', `update bugs set summary = 'Other' where id = 15`, 'bug bugs[].summary differs'],
  ['a whiteboard', `update bugs set whiteboard = '' where id = 10`, 'bug bugs[].whiteboard differs'],
  ['a deadline', `update bugs set deadline = '2021-03-05' where id = 10`, 'bug bugs[].deadline differs'],
  [
    'the time of a change',
    `update bugs set changed_at = '2021-07-01T10:00:01Z' where id = 12`,
    'bug bugs[].last_change_time differs',
  ],
  ['a missing comment', `delete from comments where id = 52`, 'comment bugs.*.comments[] missing in new'],
  [
    'one character of a comment',
    `update comments set text = replace(text, 'see bug', 'see Bug') where id = 50`,
    'comment bugs.*.comments[].text differs',
  ],
  [
    'a private mark',
    `update comments set is_private = 1 where id = 55`,
    'comment bugs.*.comments[].is_private differs',
  ],
  [
    'the author of a comment',
    `update comments set user_id = 1 where id = 58`,
    'comment bugs.*.comments[].creator differs',
  ],
  [
    'the time of a comment',
    `update comments set at = '2020-01-02T02:04:06Z' where id = 60`,
    'comment bugs.*.comments[].time differs',
  ],
  [
    'a missing tag of a comment',
    `delete from comment_tags where comment_id = 50`,
    'comment bugs.*.comments[].tags[] missing in new',
  ],
  ['a missing row of the history', `delete from bug_changes where id = 6`, 'history bugs[].history[] missing in new'],
  [
    'a value in the history',
    `update bug_changes set added = 'RESOLVED' where id = 1`,
    'history bugs[].history[].changes[].added differs',
  ],
  [
    'an obsolete mark',
    `update attachments set is_obsolete = 1 where id = 5`,
    'attachment bugs.*[].is_obsolete differs',
  ],
  [
    'the name of a file',
    `update attachments set file_name = 'b.TXT' where id = 6`,
    'attachment bugs.*[].file_name differs',
  ],
  ['the status of a flag', `update flags set status = '-' where id = 71`, 'bug bugs[].flags[].status differs'],
  ['a requestee', `update flags set requestee_id = 2 where id = 70`, 'attachment bugs.*[].flags[].requestee differs'],
  ['a missing CC', `delete from bug_cc where bug_id = 10`, 'bug bugs[].cc[] missing in new'],
  ['a missing group', `delete from bug_groups where bug_id = 13`, 'bug (visible) visible only in new'],
  [
    'one group too many',
    `insert into bug_groups (bug_id, group_id) values (14, 14)`,
    'bug (visible) visible only in old',
  ],
  ['a dependency', `delete from bug_dependencies where blocked_id = 10`, 'bug bugs[].depends_on[] missing in new'],
  [
    'an alias',
    `update bug_aliases set alias = 'lamp-two', alias_key = 'lamp-two' where bug_id = 10`,
    'bug bugs[].alias[] only in new',
  ],
  ['a keyword', `delete from bug_keywords where bug_id = 10`, 'bug bugs[].keywords[] missing in new'],
  [
    'a custom field',
    `update bug_custom_values set text_value = 'odder' where text_value = 'odd'`,
    'bug bugs[].cf_odd differs',
  ],
  [
    'a choice of a custom field',
    `delete from bug_custom_values where bug_id = 12`,
    'bug bugs[].cf_many[] missing in new',
  ],
  ['See Also', `delete from bug_see_also where id = 2`, 'bug bugs[].see_also[] missing in new'],
  ['a duplicate', `update bugs set dupe_of_id = null where id = 15`, 'bug bugs[].dupe_of differs'],
  ['the real name of a user', `update users set real_name = 'Edna' where id = 2`, 'user users[].real_name differs'],
  ['a disabled user', `update users set disabled_text = '' where id = 3`, 'user users[].can_login differs'],
  [
    'a default assignee',
    `update components set default_assignee_id = 1 where id = 7`,
    'product products[].components[].default_assigned_to differs',
  ],
  [
    'the order of milestones',
    `update milestones set sort_key = -1 where name = 'M1' and product_id = 3`,
    'product products[].milestones[] in another order',
  ],
  [
    'an inactive version',
    `update versions set is_active = 0 where id = 21`,
    'product products[].versions[].is_active differs',
  ],
  ['a missing value', `delete from field_values where name = 'minor'`, 'field fields[].values[] missing in new'],
  ['a missing keyword', `delete from keywords where name = 'slow'`, 'field fields[].values[] missing in new'],
  [
    'a flag type',
    `update flag_types set is_requesteeble = 0 where id = 3`,
    'flag type attachment[].is_requesteeble differs',
  ],
  [
    'a classification',
    `update classifications set description = 'Lights' where id = 4`,
    'classification classifications[].description differs',
  ],
  ['a group', `update groups set description = 'Open' where name = 'secret'`, 'group groups[].description differs'],
]

describe('lacewing verify', () => {
  let old: Config
  let copy: Config

  before(async () => {
    old = await richInstallation('sqlite')
    copy = isEveryCombination ? await copyOnPostgres(old) : await richInstallation('sqlite')
  })

  // import-rest.test.ts compares an installation with its copy on the other engine.
  it('finds that an installation and its copy agree wholly', async () => {
    const result = await withBoth(old, copy, (one, other) => verify(one, other))
    assert.equal(resultAsText(result).includes('Differences'), false, resultAsText(result))
    assert.equal(exitCodeOf(result), 0)
    const { compared, agree } = result.tally.answers
    assert.ok(compared > 100 && compared === agree, `${compared} ${agree}`)
    assert.deepEqual(result.bugs, { found: 8, compared: 8 })
  })

  it('finds each of the differences that were planted, and says where', async () => {
    const db = await openDatabaseOf(copy)
    for (const [, change] of PLANTED) await db.script(change)
    await replaceContent(copy, db)
    await db.close()
    const [result, sample] = await withBoth(old, copy, async (one, other) => [
      await verify(one, other),
      await verify(one, other, { people: PEOPLE.slice(-1), sample: 3, examples: 1 }),
    ])
    const found = [...result.tally.differences.keys()]
    for (const [what, , shows] of PLANTED) assert.ok(found.includes(shows), `${what}: ${shows}\n${found.join('\n')}`)
    assert.ok(found.includes('content data differs'), 'the content of an attachment')
    assert.ok(found.includes('list of bugs bugs[] missing in new') && found.includes('list of bugs bugs[] only in new'))
    assert.equal(exitCodeOf(result), 1)
    const text = resultAsText(result)
    assert.match(
      text,
      /bug: bugs\[\]\.summary differs \(3\)\n {4}admin, bug\/15\?include_fields=_default,_custom,tags: "Lamp 15 flickers" → "Other"/,
    )
    assert.match(text, /see bug 12.* → .*see Bug 12/)
    for (const printed of [text, JSON.stringify(resultAsJson(result))])
      for (const key of [ADMIN_KEY, INSIDER_KEY]) assert.equal(printed.includes(key), false)
    assert.equal(JSON.parse(JSON.stringify(resultAsJson(result))).exit_code, 1)
    assert.deepEqual(sample.bugs, { found: 8, compared: 3 })
  })

  it('refuses keys and addresses that do not work, without printing the keys', async () => {
    await withServer(old, async (_, url) => {
      const people = readPeople(['edna:not-a-key'], undefined, {})
      await assert.rejects(verify(url, url, { people }), /does not accept the key of edna: (?!.*not-a-key)/)
      await assert.rejects(verify(`${url}/nowhere`, url), /is not a Bugzilla with a REST API/)
      await assert.rejects(verify('ftp://bugs.example.org', url), /not the address of a server/)
    })
    assert.throws(() => readPeople(['edna'], undefined, {}), /no key of edna. Set OLD_KEY_EDNA/)
    assert.throws(() => readPeople(['a:b:c:d'], undefined, {}), /--as must be NAME:KEY/)
  })

  it('asks for the numbers that users have and some after each, not for all up to the highest', () => {
    const numbers = new UserNumbers([3, 2_147_483_640, 1000, 1000, 2_000_000_000])
    const pages: number[][] = []
    for (let page = numbers.next(); page.length > 0; page = numbers.next()) {
      pages.push(page)
      // A user that no server has listed.
      if (page.includes(1040)) numbers.expectAfter([1040])
    }
    const asked = pages.flat()
    assert.ok(pages.every((page) => page.length <= 50))
    assert.deepEqual(
      asked,
      [...new Set(asked)].sort((one, other) => one - other),
    )
    const between = (from: number, to: number) => asked.filter((id) => id >= from && id <= to).length
    assert.deepEqual([between(1, 999), between(1000, 1090), between(1091, 1_999_999_999)], [53, 91, 0])
    assert.deepEqual([between(2_000_000_000, 2_000_000_050), asked.length, asked.at(-1)], [51, 203, 2_147_483_647])
  })

  it('knows that Bugzilla returns custom dates in its own time zone, and no other difference of them', () => {
    const isKnown = (old: string, own: string, path = 'bugs[].cf_day') =>
      KNOWN_DIFFERENCES.some(({ matches }) =>
        matches({ path, kind: 'differs', old, new: own }, { call: 'bug', differences: [], isHidden: () => false }),
      )
    assert.ok(isKnown('2021-03-02T23:00:00Z', '2021-03-03T00:00:00Z'))
    assert.ok(isKnown('2021-03-03T05:00:00Z', '2021-03-03T00:00:00Z'))
    assert.ok(!isKnown('2021-03-02T00:00:00Z', '2021-03-03T00:00:00Z'), 'another day')
    assert.ok(!isKnown('2021-03-02T23:00:01Z', '2021-03-03T00:00:00Z'), 'not a midnight')
    assert.ok(!isKnown('2021-03-02T23:00:00Z', '2021-03-03T00:00:00Z', 'bugs[].creation_time'))
  })

  it('knows only differences that docs/compat.md names, and all of them', () => {
    const compat = readFileSync(`${root}docs/compat.md`, 'utf8')
    const section = /## Differences that `lacewing verify` knows\n([\s\S]*?)(?=\n## |$)/.exec(compat)?.[1] ?? ''
    const named = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
    assert.deepEqual(named.sort(), KNOWN_DIFFERENCES.map(({ name }) => name).sort())
  })
})

async function copyOnPostgres(config: Config): Promise<Config> {
  const copy = await migratedConfig('postgres')
  await imported(copy, await exported(config))
  return copy
}

function withBoth<Result>(
  old: Config,
  own: Config,
  work: (old: string, own: string) => Promise<Result>,
): Promise<Result> {
  return withServer(old, (_, oldUrl) => withServer(own, (_send, newUrl) => work(oldUrl, newUrl)))
}

/** Other bytes of the same size. */
async function replaceContent(config: Config, db: Db) {
  const bytes = Buffer.from('From a file')
  const digest = createHash('sha256').update(bytes).digest('hex')
  await db.script(
    `insert into stored_contents (key, digest, stored_at) values ('${digest}', '${digest}', '2020-01-01T00:00:00Z')`,
  )
  await db.script(`update attachments set content_digest = '${digest}' where id = 6`)
  await new Contents(join(config.dataFolder, 'attachments')).put(await readSettings(db), { key: digest, digest, bytes })
}
