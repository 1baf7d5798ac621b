import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makePast } from '../../demo/past.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { expectAccessible, expectAccessibleInBothThemes } from '../support/accessibility.ts'
import type { BodyAt } from '../support/body-types.ts'
import {
  allPages,
  expectFitsPhone,
  moveTo,
  open,
  pagesForPhone,
  visitorOf,
  withBrowser,
} from '../support/company-pages.ts'
import { describeInSoak, itInSoak } from '../support/sample.ts'
import { emptyInstallation } from '../support/server-process.ts'
import { sure } from '../support/sure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const READY = /Ctrl-C ends the server/

const SCRIPT = ['npm', 'run', '--silent', 'demo', '--'] as const
/** What it runs. npm itself takes as long as the refusals. */
const PROGRAM = [process.execPath, '--disable-warning=ExperimentalWarning', 'demo/run.ts'] as const

/** The demo, with its output so far. */
class Demo {
  said = ''
  complained = ''
  readonly exit: Promise<number | null>
  private readonly process: ChildProcess

  constructor(environment: Record<string, string>, program: readonly [string, ...string[]] = PROGRAM) {
    const { LACEWING_DATA: _, ...inherited } = process.env
    const [command, ...words] = program
    this.process = spawn(command, words, {
      cwd: root,
      env: { ...inherited, LACEWING_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process.stdout?.on('data', (text) => {
      this.said += text
    })
    this.process.stderr?.on('data', (text) => {
      this.complained += text
    })
    this.exit = new Promise((resolve) => this.process.once('exit', resolve))
  }

  /** Waits until it has printed the users. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => READY.test(this.said) && resolve()
      this.process.stdout?.on('data', look)
      void this.exit.then((code) => reject(new Error(`The demo ended (${code}): ${this.said}${this.complained}`)))
    })
  }

  end(signal: 'SIGINT' | 'SIGTERM') {
    this.process.kill(signal)
    return this.exit
  }

  get address() {
    return /is running on (\S+)/.exec(this.said)?.[1] as string
  }

  get password() {
    return /password of all users is (\S+)/.exec(this.said)?.[1] as string
  }

  /** The printed login names and API keys. */
  get people(): Map<string, string> {
    return new Map(
      [...this.said.matchAll(/^ {2}(\S+@\S+) +(\S+) {2}/gm)].map(([, login, key]) => [login, key] as never),
    )
  }

  async get<const Path extends string>(path: Path, login?: string) {
    const headers = login === undefined ? {} : { 'X-TRACKER-API-KEY': this.people.get(login) as string }
    const response = await fetch(`${this.address}/rest${path}`, { headers })
    return { status: response.status, body: (await response.json()) as BodyAt<'GET', `/rest${Path}`> }
  }

  async productsSeenBy(login?: string): Promise<string[]> {
    const { body } = await this.get('/product?include_fields=name', login)
    return body.products.map((product: { name: string }) => product.name)
  }
}

interface Bug {
  id: number
  product: string
  status: string
  creation_time: string
  last_change_time: string
  flags: unknown[]
  depends_on: number[]
  dupe_of: number | null
  keywords: string[]
  groups: string[]
  see_also: string[]
}

const GIVEN_ADMINISTRATOR = { LACEWING_ADMIN_LOGIN: 'boss@example.com', LACEWING_ADMIN_PASSWORD: 'chosen-password' }

// A year of bugs takes long to create.
for (const engine of ['sqlite', 'postgres'] as const)
  describeInSoak(`npm run demo (${engine})`, () => {
    const temporary = mkdtempSync(join(tmpdir(), 'lacewing-demo-test-'))
    const settings: Record<string, string> = { TMPDIR: temporary, LACEWING_ADMIN_API_KEY: 'a-key-that-was-given' }
    const ownFolder = join(temporary, 'own')
    const administrator = engine === 'sqlite' ? GIVEN_ADMINISTRATOR.LACEWING_ADMIN_LOGIN : 'ada@skylark.example'
    let demo: Demo
    before(async () => {
      const { LACEWING_DATABASE_URL: url } = await emptyInstallation(engine)
      // Creating a year of bugs takes long, so one engine tests the settings and the other the defaults.
      if (url !== undefined) settings.LACEWING_DATABASE_URL = url
      else Object.assign(settings, { LACEWING_DATA: ownFolder, ...GIVEN_ADMINISTRATOR })
      demo = new Demo(settings, SCRIPT)
      await demo.ready()
    })
    after(async () => {
      await demo.end('SIGTERM')
      rmSync(temporary, { recursive: true, force: true })
    })

    it('prints users with their API keys and the password', async () => {
      assert.ok(demo.people.size >= 9)
      for (const login of demo.people.keys()) {
        const { body } = await demo.get('/whoami', login)
        assert.equal(body.name, login)
      }
      assert.equal((await demo.get('/whoami', administrator)).body.real_name, 'Ada Lindqvist')
      if (engine === 'sqlite') assert.equal(demo.password, GIVEN_ADMINISTRATOR.LACEWING_ADMIN_PASSWORD)
      const secret = `login=jun%40example.net&password=${demo.password}`
      const { status, body } = await demo.get(`/login?${secret}`)
      assert.equal(status, 200)
      assert.equal((await demo.get(`/valid_login?login=jun%40example.net&token=${body.token}`)).body, true)
    })

    it('shows every user their part of the organisation', async () => {
      const open = ['Data Logger', 'Station Firmware', 'Weather Portal', 'Weather Station']
      assert.deepEqual(await demo.productsSeenBy(), open)
      assert.deepEqual(await demo.productsSeenBy('jun@example.net'), open)
      assert.deepEqual(await demo.productsSeenBy('ines@helios.example'), [...open, 'Helios Gateway'].sort())
      assert.deepEqual(await demo.productsSeenBy('emil@skylark.example'), [...open, 'Office & IT'].sort())
      assert.deepEqual(
        await demo.productsSeenBy('dana@skylark.example'),
        [...open, 'Helios Gateway', 'Office & IT'].sort(),
      )
    })

    it('has classifications, custom fields, keywords, flags and its own status', async () => {
      const { body: classes } = await demo.get('/classification')
      assert.deepEqual(
        classes.classifications.map((it: { name: string }) => it.name),
        ['Hardware', 'Software'],
      )
      const { body: fields } = await demo.get('/field/bug')
      const custom = fields.fields.filter((field: { is_custom: boolean }) => field.is_custom)
      const types = new Set(custom.map((field: { type: number }) => field.type))
      assert.deepEqual(types, new Set([1, 2, 3, 4, 5, 6, 9, 10]))
      assert.ok((await demo.get('/keyword')).body.keywords.length > 3)
      const { body: workflow } = await demo.get('/workflow')
      assert.ok(workflow.transitions.some((step: { from: string; to: string }) => step.to === 'WAITING'))
      const values = async (login?: string) =>
        (await demo.get('/flag_type/Station%20Firmware/Radio?include_fields=name,values', login)).body.bug.find(
          (type: { name: string }) => type.name === 'blocks-release',
        ).values
      assert.deepEqual(await values('jun@example.net'), ['X'])
      assert.deepEqual(await values('emil@skylark.example'), ['X', '?'])
      assert.deepEqual(await values('bo@skylark.example'), ['X', '?', '+', '-'])
    })

    it('has some hundred bugs of a whole year, with all kinds of changes', async () => {
      const fields =
        'id,product,status,creation_time,last_change_time,flags,depends_on,dupe_of,keywords,groups,see_also'
      const { body } = await demo.get(`/bug?limit=0&include_fields=${fields}`, administrator)
      const bugs: Bug[] = body.bugs
      const count = (has: (bug: Bug) => boolean) => bugs.filter(has).length
      assert.ok(bugs.length > 200, `${bugs.length} bugs`)
      assert.equal(new Set(bugs.map(({ product }) => product)).size, 6)
      const statuses = new Set(bugs.map(({ status }) => status))
      // A bug is WAITING for a week at most, so there are moments without one.
      statuses.delete('WAITING')
      assert.equal(statuses.size, 5)
      for (const list of ['flags', 'depends_on', 'keywords', 'groups', 'see_also'] as const)
        assert.ok(count((bug) => bug[list].length > 0) > 5, list)
      assert.ok(count(({ dupe_of }) => dupe_of !== null) > 10)
      const months = new Set(bugs.map(({ creation_time }) => creation_time.slice(0, 7)))
      assert.ok(months.size >= 12, [...months].join())
      const now = new Date().toISOString()
      assert.equal(
        count((bug) => bug.creation_time > bug.last_change_time || bug.last_change_time > now),
        0,
      )
      const inOrder = bugs.map(({ id }) => id).sort((a, b) => a - b)
      const times = inOrder.map((id) => bugs.find((bug) => bug.id === id)?.creation_time)
      assert.deepEqual(times, [...times].sort(), 'newer bugs have larger numbers')
    })

    it('has comments, history and attachments with realistic times', async () => {
      const login = administrator
      const { body: found } = await demo.get('/bug?f1=attachments.filename&o1=isnotempty&include_fields=id', login)
      assert.ok(found.bugs.length > 20)
      const id = found.bugs[0].id
      const { body: attached } = await demo.get(`/bug/${id}/attachment?exclude_fields=data`, login)
      const { body: said } = await demo.get(`/bug/${id}/comment`, login)
      const { body: done } = await demo.get(`/bug/${id}/history`, login)
      const { body: read } = await demo.get(`/bug/${id}?include_fields=creation_time`, login)
      const times = [
        ...sure(attached.bugs[id]).map((it: { creation_time: string }) => it.creation_time),
        ...sure(said.bugs[id]).comments.map((it: { time: string }) => it.time),
        ...done.bugs[0].history.map((it: { when: string }) => it.when),
      ]
      assert.ok(times.length >= 4)
      for (const time of times) assert.ok(time >= read.bugs[0].creation_time && time < new Date().toISOString())
    })

    it('has saved searches that find something', async () => {
      let all = 0
      for (const login of demo.people.keys()) {
        const { body } = await demo.get('/saved_search?shared=false', login)
        for (const { name } of body.saved_searches) {
          const { body: found } = await demo.get(`/bug?savedsearch=${encodeURIComponent(name)}`, login)
          assert.equal(found.ignored, undefined, name)
          all += found.bugs.length
        }
      }
      assert.ok(all > 20, `${all} bugs`)
    })

    it('sends no mail about past events', () => {
      const [folder = ''] = engine === 'sqlite' ? [ownFolder] : globSync(join(temporary, 'lacewing-demo-*'))
      assert.ok(existsSync(folder))
      // Mail that is scheduled for each day may be due while the test runs.
      const sent = globSync(join(folder, 'mail/**/*.eml')).filter((file) => !basename(file).startsWith('scheduled-'))
      assert.deepEqual(sent, [])
    })

    it('has pages without barriers, and they fit a phone', () =>
      withBrowser(async (browser) => {
        const { page, complaints } = await visitorOf(browser, demo, administrator, true)
        await open(page, '/')
        await expectFitsPhone(page)
        for (const { address, isForAxe } of await pagesForPhone(page)) {
          await moveTo(page, address)
          await expectFitsPhone(page)
          if (isForAxe) await expectAccessible(page, 'main')
        }
        assert.deepEqual(complaints, [])
      }))

    it('has pages without barriers in both themes, and they fit a phone', () =>
      withBrowser(async (browser) => {
        const desktop = await visitorOf(browser, demo, administrator)
        const phone = await visitorOf(browser, demo, administrator, true)
        for (const address of await allPages(desktop.page)) {
          await open(desktop.page, address)
          await expectAccessibleInBothThemes(desktop.page)
          await open(phone.page, address)
          await expectFitsPhone(phone.page)
        }
        assert.deepEqual([...desktop.complaints, ...phone.complaints], [])
      }))

    itInSoak('shows a reader without rights what is public, and nothing to change', () =>
      withBrowser(async (browser) => {
        const { page, complaints } = await visitorOf(browser, demo, 'jun@example.net')
        for (const address of await allPages(page)) {
          const isBug = address.startsWith('/bug/') && !address.includes('as_of')
          const rights = isBug ? page.waitForResponse(/\/access/) : undefined
          await open(page, address)
          await (await rights)?.finished()
          assert.doesNotMatch(await page.content(), /Helios Gateway/, address)
          const editors = page.getByRole('button', {
            name: /^(Change (Summary|Whiteboard|Assignee)|Status:|Make the)/,
          })
          assert.equal(await editors.count(), 0, address)
        }
        assert.deepEqual(complaints, [])
      }),
    )

    it('ends in good order when it gets a signal', async () => {
      const { address } = demo
      assert.equal(await demo.end(engine === 'sqlite' ? 'SIGTERM' : 'SIGINT'), 0)
      await assert.rejects(fetch(`${address}/rest/version`))
      assert.deepEqual(globSync('lacewing-demo-*', { cwd: temporary }), [], 'it leaves no folder behind')
    })

    if (engine === 'sqlite')
      it('keeps the data in the folder from the settings, and does not change them at the second start', async () => {
        assert.ok(existsSync(join(ownFolder, 'lacewing.db')))
        const files = () => readdirSync(ownFolder, { recursive: true }).sort()
        const before = files()
        const again = new Demo(settings)
        assert.equal(await again.exit, 1)
        assert.match(again.complained, /The folder .*own is not empty/)
        assert.deepEqual(files(), before)
      })

    it('does not change a database that has users, even if it knows their keys', async () => {
      const { LACEWING_DATABASE_URL: url = join(ownFolder, 'lacewing.db') } = settings
      const again = { ...settings, LACEWING_DATA: join(temporary, 'new'), LACEWING_DATABASE_URL: url }
      const demo = new Demo(again)
      assert.equal(await demo.exit, 1)
      assert.match(demo.complained, /The database is not empty: the demo needs an empty one/)
      const config = readConfig({ ...GIVEN_ADMINISTRATOR, ...again })
      const refused = makePast(config, () => false)
      await assert.rejects(refused, { message: 'The database is not empty: the demo needs an empty one.' })
    })
  })

describe('npm run demo', () => {
  const parent = mkdtempSync(join(tmpdir(), 'lacewing-demo-test-'))
  after(() => rmSync(parent, { recursive: true, force: true }))

  it('takes no arguments', async () => {
    const demo = new Demo({ TMPDIR: parent }, [...PROGRAM, '--large'])
    assert.equal(await demo.exit, 1)
    assert.match(demo.complained, /takes no arguments/)
  })

  itInSoak('ends in good order at a signal before it is ready', async () => {
    const temporary = join(parent, 'temporary')
    mkdirSync(temporary)
    const demo = new Demo({ TMPDIR: temporary })
    while (globSync('lacewing-demo-*/lacewing.db', { cwd: temporary }).length === 0) await sleep(20)
    assert.equal(await demo.end('SIGTERM'), 0)
    assert.deepEqual([READY.test(demo.said), demo.complained], [false, 'Creating a year of bugs …\n'])
    assert.deepEqual(globSync('lacewing-demo-*', { cwd: temporary }), [])
  })

  itInSoak('reports why the server cannot start', async () => {
    const demo = new Demo({ LACEWING_PORT: 'none' })
    assert.equal(await demo.exit, 1)
    assert.match(demo.complained, /LACEWING_PORT is "none"/)
  })
})
