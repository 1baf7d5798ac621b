import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))

/** The hash of each file without comments and spaces. A released migration is never changed: add a new one instead. */
const RELEASED: Readonly<Record<string, string>> = {
  '0001-people.ts': 'c826d10b299230f8',
  '0002-catalogue.ts': '61f22ab387a4ef79',
  '0003-bugs.ts': 'eed15f6a3ba4dc26',
  '0004-discussion.ts': '1ca6c3a858c169c3',
  '0005-search.ts': '173b1ab09af04195',
  '0005-words.ts': 'fcfc04632611488a',
  '0006-saved-searches.ts': '14807151800c33ed',
  '0007-outbound.ts': '3a84d3bee7b02714',
  '0008-mail.ts': '3d563ccfcb3c0425',
  '0009-webhooks.ts': '1391b15e08ef7225',
  '0010-attachment-texts.ts': '4783f793749d3e3d',
  '0011-incoming-mail.ts': '6220fdc7359eb467',
  '0012-scheduled-mail.ts': 'b88b745e1c9f0c55',
  '0013-bug-lists.ts': '01488b12c502104b',
  '0014-due-trigrams.ts': '487b8be082726cdf',
  '0015-email-changes.ts': 'dd74f3d289d82ac1',
  '0016-stored-contents.ts': '528fb9aa871e70b1',
  '0017-backlog.ts': '4ba536dca62d39b4',
  '0018-bug-templates.ts': '55dc4610cdba4659',
  '0019-markdown-comments.ts': '1b629df80ba66901',
  '0020-account-links.ts': '474cb81e3720f328',
  '0021-session-details.ts': 'd946d22398c5c612',
  '0022-imports.ts': '3ebbf7f9af4ea556',
  '0023-order-of-saved-searches.ts': 'f122d5c2a9f2fff8',
  '0024-joined-users.ts': '0aeace1d514ab50e',
  '0025-hidden-activity.ts': '46a7f63379b26848',
  '0026-second-factors.ts': 'f0fc44b53bc1feaf',
  '0027-sign-in-providers.ts': '202f2ecc86b70a1b',
  '0028-passkeys.ts': '6b32dc5d9bbbd2be',
  '0029-new-account-mails.ts': '878d54449ad6853c',
  '0030-long-words.ts': '6184d800bcc97e48',
  '0031-mail-outages.ts': 'c35de63e3f45975a',
  '0032-made-with-keys.ts': '08db61ff33976088',
  '0033-oldest-writer.ts': '356ed64ef0f6e58e',
  '0034-bug-types.ts': '07f9677f20dd9a1b',
  '0035-status-changes.ts': 'c896b6f6715b6db3',
  '0036-dashboards.ts': 'badeb0c8bd5a6cd7',
  '0037-refused-messages.ts': 'b5ab0f33c3acb012',
  '0038-state-records.ts': 'f165741d0ca2a427',
  '0039-misuse.ts': '34bfed3d644d4df5',
  '0040-product-lists.ts': '1b67eef7b136ffcd',
  '0041-text-statistics.ts': '2586b0da376bbe3e',
  '0042-absences.ts': '8fdcec11ca6e51b8',
  '0043-watches.ts': '4c0e872ea88ea900',
  '0044-canned-replies.ts': 'cb45c1aa23dd669c',
  '0045-nicks.ts': 'ee7de192e327339a',
  '0046-comment-edits.ts': '58db7511c445dc10',
  '0047-votes.ts': '03be1e59fa5abd35',
  '0048-mentions.ts': '86fa64caec1a1efb',
  '0049-questions.ts': '93ce6f469806fc44',
  '0050-reminders.ts': '3f43309f87349a30',
  '0051-inbox.ts': 'a2defabb86d41a68',
  '0052-mail-times.ts': 'f0eb207ff37c1b04',
  '0053-triage.ts': '735ca875e067039d',
  '0054-removed-mentions.ts': 'a18b05621c60e022',
  '0055-presence.ts': 'f1e5f561eb1acb68',
  '0056-change-sources.ts': '7cc5ff2f7c9db168',
  '0057-code-links.ts': 'dc01bbb4c2e2c7de',
  '0058-removals.ts': '64ce1f35e23e56d5',
  '0059-oauth.ts': 'e6df153992b9f7f2',
  '0060-proposals.ts': '24f3bc59968659ba',
}

describe('migrations', () => {
  const files = readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file))
  const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

  for (const file of files)
    it(`${file} is unchanged since its release`, () => {
      assert.equal(hashOf(textOf(file)), RELEASED[file])
    })

  it('name the oldest release that may still write, from the one on that stores it', () => {
    const without = files.filter((file) => file >= '0033' && !/\boldestWriter: '\d+\.\d+\.\d+'/.test(textOf(file)))
    assert.deepEqual(without, [])
  })

  it('that were released all exist', () => {
    assert.deepEqual(Object.keys(RELEASED).sort(), files.sort())
  })

  it('import only types and their own files, no code that may change', () => {
    const imports = files.flatMap((file) => [...textOf(file).matchAll(/^import (?!type ).* from '(.*)'$/gm)])
    assert.deepEqual(
      imports.filter(([, from]) => !/^\.\/\d{4}-/.test(from ?? '')).map(([line]) => line),
      [],
    )
  })
})

function hashOf(text: string) {
  const code = text.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '').replace(/\s+/g, '')
  return createHash('sha256').update(code).digest('hex').slice(0, 16)
}
