import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { promisify } from 'node:util'
import { newSource, settled } from '../support/code-deliveries.ts'
import { fileBug } from '../support/file-bug.ts'
import { LACEWING } from '../support/lacewing-command.ts'
import { itInSoak } from '../support/sample.ts'
import { describeDeliveryOnOneEngine } from '../support/world.ts'

const run = promisify(execFile)
const IDENTITY = ['-c', 'user.name=Gus', '-c', 'user.email=gus@lacewing.test', '-c', 'commit.gpgsign=false']

describeDeliveryOnOneEngine('the hooks of git', (world) => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lacewing-git-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const git = (where: string, ...args: string[]) => run('git', ['-C', where, ...IDENTITY, ...args])
  const commit = (where: string, message: string) => git(where, 'commit', '--allow-empty', '-m', message)

  function hook(where: string, name: string, command: string) {
    const file = join(where, name)
    writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} ${LACEWING} git-hook ${command}\n`)
    chmodSync(file, 0o755)
  }

  const codeOf = async (bug: number) => (await world.nobody.get(`/rest/bug/${bug}/code`)).body.code

  it('report the commits of a push, whatever their messages contain, and refuse a message without a bug', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'git')
    const [bare, work] = [join(folder, 'lid.git'), join(folder, 'lid')]
    await run('git', ['init', '--quiet', '--bare', '-b', 'main', bare])
    await run('git', ['init', '--quiet', '-b', 'main', work])
    writeFileSync(join(folder, 'lid-secret'), source.secret)
    await git(bare, 'config', 'lacewing.url', `${world.url}/rest/code/${source.name}`)
    await git(bare, 'config', 'lacewing.secretfile', join(folder, 'lid-secret'))
    // What this adds to a log is not read as a commit.
    await git(bare, 'config', 'log.showSignature', 'true')
    hook(join(bare, 'hooks'), 'post-receive', 'post-receive')
    const forged = ['x', 'f0'.repeat(20), 'Mallory', '2026-01-01T00:00:00Z', `Bug ${bug} - forged`]
    await commit(work, `${forged[0]}\n\n\x1e${forged.slice(1).join('\x1f')}`)
    await commit(work, `Bug ${bug} - mend the lid`)
    assert.match((await git(work, 'push', bare, 'main')).stderr, /2 commits were reported/)
    await settled(world, source)
    assert.deepEqual(
      (await codeOf(bug)).map(({ title, author }) => [title, author]),
      [[`Bug ${bug} - mend the lid`, 'Gus']],
    )
    // The changes that git shows below the message are not a part of it.
    const file = join(folder, 'message')
    writeFileSync(file, `mend\n# ------------------------ >8 ------------------------\n+ Bug ${bug}\n`)
    await assert.rejects(run(process.execPath, [LACEWING, 'git-hook', 'commit-msg', file]), /names no bug/)
  })

  // A dozen processes are started, which takes five seconds.
  itInSoak('report what is pushed, check messages, and read the log once', async () => {
    const [one, two] = [await fileBug(world.edna), await fileBug(world.edna)]
    const source = await newSource(world, 'git', { comments: 'commits', resolves: 'words' })
    const [bare, work] = [join(folder, 'kettle.git'), join(folder, 'work')]
    await run('git', ['init', '--quiet', '--bare', '-b', 'main', bare])
    await run('git', ['init', '--quiet', '-b', 'main', work])
    writeFileSync(join(folder, 'secret'), `${source.secret}\n`)
    const settings = {
      url: `${world.url}/rest/code/${source.name}`,
      secretfile: join(folder, 'secret'),
      commitaddress: 'https://git.example/kettle/commit/{id}',
    }
    for (const [name, value] of Object.entries(settings)) await git(bare, 'config', `lacewing.${name}`, value)
    hook(join(bare, 'hooks'), 'post-receive', 'post-receive')
    hook(join(work, '.git/hooks'), 'commit-msg', `commit-msg --server ${world.url} "$1"`)

    await assert.rejects(commit(work, 'mend the steam'), /names no bug/)
    await assert.rejects(commit(work, 'Bug 999999 - mend'), /has no bug 999999/)
    await commit(work, `Bug ${one} - mend "the" steam\n\n$(touch x) \`y\``)
    await commit(work, 'Merge nothing')
    const { stderr } = await git(work, 'push', bare, 'main')
    assert.match(stderr, /2 commits were reported/)
    await settled(world, source)
    const [link] = await codeOf(one)
    assert.deepEqual(
      [link?.repository, link?.title, link?.author, link?.state],
      ['kettle', `Bug ${one} - mend "the" steam`, 'Gus', 'merged'],
    )
    assert.match(link?.url ?? '', /^https:\/\/git\.example\/kettle\/commit\/[0-9a-f]{40}$/)
    assert.equal((await world.edna.get(`/rest/bug/${one}/comment`)).body.bugs[one]?.comments.length, 2)

    // Another branch is not reported, and a tracker that cannot be reached keeps nobody from pushing.
    await git(bare, 'config', 'lacewing.url', 'http://127.0.0.1:9/rest/code/gone')
    await commit(work, `fixes ${two}`)
    assert.match((await git(work, 'push', bare, 'main')).stderr, /not all commits are reported: .* cannot be reached/)
    await git(bare, 'config', 'lacewing.url', settings.url)
    assert.doesNotMatch((await git(work, 'push', bare, 'main:topic')).stderr, /reported/)
    assert.deepEqual(await codeOf(two), [])

    // What was missed is linked from the log, without comments and without resolving.
    const command = [LACEWING, 'code', 'sync', bare, '--json']
    assert.deepEqual(JSON.parse((await run(process.execPath, command)).stdout), { commits: 3 })
    await settled(world, source)
    assert.equal((await codeOf(two)).length, 1)
    assert.equal((await world.edna.get(`/rest/bug/${two}/comment`)).body.bugs[two]?.comments.length, 1)
    assert.equal((await world.edna.get(`/rest/bug/${two}`)).body.bugs[0]?.is_open, true)
    await run(process.execPath, command)
    assert.deepEqual([(await codeOf(one)).length, (await codeOf(two)).length], [1, 1])
    writeFileSync(join(folder, 'secret'), 'a wrong secret of some length')
    await assert.rejects(run(process.execPath, command), /answered (401|409)/)
  })
})
