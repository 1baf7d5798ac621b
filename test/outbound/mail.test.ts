import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { attach } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { describeDeliveryOnOneEngine, describeOnce, type World } from '../support/world.ts'

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const inOneLine = (row: string) => row.replace('Priority|', '').replace(/ +/g, '')

type Person = Awaited<ReturnType<World['newUser']>>

describeDeliveryOnOneEngine(
  'mail',
  (world) => {
    before(async () => {
      await world.ada.put('/rest/parameters', { insidergroup: 'security', urlbase: 'https://bugs.lacewing.test/' })
    })
    beforeEach(async () => {
      await mailSettled(world)
      mailServer.clear()
    })

    /** The messages to a user since the test began, oldest first. */
    async function lettersTo(login: string): Promise<ReceivedMail[]> {
      await mailSettled(world)
      return mailServer.messages.filter(({ recipients }) => recipients.includes(login))
    }

    async function onlyMailTo(login: string): Promise<ReceivedMail> {
      const messages = await lettersTo(login)
      assert.equal(messages.length, 1, `${messages.length} letters to ${login}`)
      return messages[0] as ReceivedMail
    }

    const person = () => newMember(world, 'editbugs', 'canconfirm')
    const header = (message: ReceivedMail, name: string) => message.headers.get(name.toLowerCase())?.join()
    const choose = async ({ client, id }: Person, wanted: object) => {
      const { status, text } = await client.put(`/rest/user/${id}/mail`, wanted)
      assert.equal(status, 200, text)
    }

    describeOnce(world, 'a message', () => {
      it('has a comment in Markdown as it was typed', async () => {
        const assignee = await person()
        await world.withParameters({ use_markdown: '1' }, () =>
          fileBug(world.edna, { assigned_to: assignee.login, description: '# It\n\n**fails**', is_markdown: true }),
        )
        const message = await onlyMailTo(assignee.login)
        assert.match(message.text, /:\n# It\n\n\*\*fails\*\*\n/)
        assert.match(message.html ?? '', /# It\n\n\*\*fails\*\*/)
      })

      it('about a new bug has its fields and its description', async () => {
        const assignee = await person()
        const bug = await fileBug(world.edna, {
          summary: 'Grüße from <b>Köln</b>',
          assigned_to: assignee.login,
          description: 'It fails.\nSee bug 1001 & others.',
          deadline: '2030-01-31',
        })
        const message = await onlyMailTo(assignee.login)
        assert.equal(message.subject, `[Bug ${bug}] New: Grüße from <b>Köln</b>`)
        assert.match(message.text, new RegExp(`^https://bugs\\.lacewing\\.test/show_bug\\.cgi\\?id=${bug}\n`))
        assert.match(message.text, /Edna Editor <edna@lacewing\.test> filed bug/)
        assert.match(message.text, /Product: TestProduct\n/)
        assert.match(message.text, /Deadline: 2030-01-31\n/)
        assert.match(message.text, /AssignedTo: person/)
        assert.match(
          message.text,
          /Description by Edna Editor <edna@lacewing\.test>, .* UTC:\nIt fails\.\nSee bug 1001 & others\.\n/,
        )
        assert.match(message.text, /\n-- \nYou get this because the bug is assigned to you\.\n/)
        assert.match(message.html ?? '', /Grüße from &#60;b&#62;Köln/)
        assert.match(message.html ?? '', /It fails\.\nSee <a class="bug".*>bug 1001<\/a> &amp; others\./)
      })

      it('reaches whom a comment mentions, once and with this reason, without a role in the bug', async () => {
        const [reader, bug] = [await person(), await fileBug(world.edna)]
        const { nick } = (await reader.client.get('/rest/whoami')).body
        await changeBug(world.edna, bug, { comment: { body: `@${nick} and again @${nick}` } })
        const message = await onlyMailTo(reader.login)
        assert.match(message.text, /\n-- \nYou get this because you are mentioned\.\n/)
        assert.match(header(message, 'X-Bugzilla-Reason') ?? '', /Mentioned/)
      })

      it('about a change has the removed and added values and the comment', async () => {
        const reader = await person()
        const bug = await fileBug(world.edna, { cc: [reader.login] })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.sven, bug, {
          priority: 'High',
          whiteboard: 'soon',
          comment: { body: 'Because <script>' },
        })
        const message = await onlyMailTo(reader.login)
        assert.equal(message.subject, `[Bug ${bug}] Something is wrong`)
        assert.match(message.text, /Sven Security <sven@lacewing\.test> changed bug/)
        assert.match(message.text, / Priority\|--- +\|High\n/)
        assert.match(message.text, / Whiteboard\| +\|soon\n/)
        assert.match(message.text, /Comment 1 by Sven Security <sven@lacewing\.test>, .* UTC:\nBecause <script>\n/)
        assert.match(message.html ?? '', /Because &lt;script&gt;/)
        assert.doesNotMatch(message.html ?? '', /<script/)
      })

      it('leaves out fields that a parameter hides, and is not sent for them alone', async () => {
        const reader = await person()
        const hidden = { usestatuswhiteboard: 0, use_see_also: 0, usetargetmilestone: 0, useqacontact: 0 }
        await world.withParameters(hidden, async () => {
          const bug = await fileBug(world.edna, { cc: [reader.login], whiteboard: 'ship', qa_contact: cast.stan.login })
          const first = await onlyMailTo(reader.login)
          assert.doesNotMatch(first.text, /ship|Whiteboard|QA Contact|stan@/)
          assert.equal(header(first, 'X-Tracker-Target-Milestone'), undefined)
          await mailSettled(world)
          mailServer.clear()
          await changeBug(world.edna, bug, { whiteboard: 'sail' })
          await changeBug(world.edna, bug, { whiteboard: 'sunk', priority: 'High' })
          const second = await onlyMailTo(reader.login)
          assert.match(second.text, / Priority\|--- +\|High\n/)
          assert.doesNotMatch(second.text, /sunk/)
          assert.equal(header(second, 'X-Tracker-Changed-Fields'), 'priority')
        })
      })

      it('has the headers for mail filters, under both names', async () => {
        const reader = await person()
        const keyword = world.unique('word')
        await world.ada.post('/rest/keyword', { name: keyword, description: 'A word' })
        const bug = await fileBug(world.edna, { cc: [reader.login], keywords: [keyword] })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { status: 'RESOLVED', resolution: 'FIXED', summary: 'Another' })
        const message = await onlyMailTo(reader.login)
        const expected = {
          Reason: 'CC',
          'Watch-Reason': 'None',
          Type: 'changed',
          ID: String(bug),
          Product: 'TestProduct',
          Component: 'TestComponent',
          Version: 'unspecified',
          Keywords: keyword,
          Severity: 'normal',
          Who: 'edna@lacewing.test',
          Status: 'RESOLVED',
          Resolution: 'FIXED',
          Priority: '---',
          'Assigned-To': 'ada@lacewing.test',
          'Target-Milestone': '---',
          OS: 'All',
          'Changed-Fields': 'bug_status resolution short_desc',
          URL: 'https://bugs.lacewing.test/',
        }
        for (const prefix of ['X-Tracker-', 'X-Bugzilla-'])
          for (const [name, value] of Object.entries(expected))
            assert.equal(
              header(message, prefix + name)
                ?.split(' ')
                .sort()
                .join(' '),
              value.split(' ').sort().join(' '),
              prefix + name,
            )
        assert.equal(header(message, 'Auto-Submitted'), 'auto-generated')
        assert.equal(header(message, 'To'), reader.login)
        assert.equal(header(message, 'X-Tracker-Classification'), undefined)
      })

      it('about a new bug lists its fields that the reader may see', async () => {
        const assignee = await person()
        const other = await newMember(world)
        const people = { assigned_to: assignee.login, cc: [other.login] }
        await fileBug(world.edna, { ...people, url: 'https://example.com', estimated_time: 2 })
        const message = await onlyMailTo(assignee.login)
        const fieldsIn = (it: ReceivedMail) => header(it, 'X-Bugzilla-Changed-Fields')?.split(' ') ?? []
        const fields = fieldsIn(message)
        for (const name of ['bug_id', 'short_desc', 'product', 'bug_status', 'bug_file_loc', 'assigned_to', 'cc'])
          assert.ok(fields.includes(name), name)
        const whatOthersSee = fields.filter((name) => name !== 'estimated_time')
        assert.equal(whatOthersSee.length, fields.length - 1)
        assert.deepEqual(fieldsIn(await onlyMailTo(other.login)), whatOthersSee)
        for (const name of ['keywords', 'status_whiteboard', 'dependson', 'qa_contact', 'resolution'])
          assert.ok(!fields.includes(name), name)
        assert.equal(header(message, 'X-Tracker-Changed-Fields'), fields.join(' '))
        assert.match(header(message, 'X-Tracker-Changed-Field-Names') ?? '', /Product, /)
      })

      it('is in one thread with the others about the bug', async () => {
        const reader = await person()
        const bug = await fileBug(world.edna, { cc: [reader.login] })
        await changeBug(world.edna, bug, { priority: 'High' })
        await changeBug(world.edna, bug, { priority: 'Low' })
        const [first, second, third] = await lettersTo(reader.login)
        const thread = `<bug-${bug}-${reader.id}@https.bugs.lacewing.test>`
        assert.ok(first && second && third)
        assert.equal(header(first, 'Message-ID'), thread)
        assert.equal(header(first, 'In-Reply-To'), undefined)
        for (const message of [second, third]) {
          assert.equal(header(message, 'In-Reply-To'), thread)
          assert.equal(header(message, 'References'), thread)
        }
        assert.notEqual(header(second, 'Message-ID'), header(third, 'Message-ID'))
        assert.match(second.text, /\|High\n/)
        assert.match(third.text, /\|Low\n/)
      })

      it('has the format that its reader chose', async () => {
        const reader = await person()
        await choose(reader, { email_format: 'text_only', new_prefix: false })
        const bug = await fileBug(world.edna, { cc: [reader.login], summary: 'Plain' })
        const message = await onlyMailTo(reader.login)
        assert.equal(message.subject, `[Bug ${bug}] Plain`)
        assert.equal(message.html, undefined)
        assert.match(message.text, /filed bug/)
      })

      it('comes from the address that the administrator chose', async () => {
        await world.withParameters({ mailfrom: 'tracker@lacewing.test' }, async () => {
          const reader = await person()
          await fileBug(world.edna, { cc: [reader.login] })
          const message = await onlyMailTo(reader.login)
          assert.equal(message.sender, 'tracker@lacewing.test')
          assert.equal(header(message, 'From'), 'tracker@lacewing.test')
        })
      })

      it('has each header once, whatever users wrote', async () => {
        const reader = await newMember(world, 'editbugs', 'security')
        const hostile = 'x\u2028Bcc: all@lacewing.test\u2029 \u0085 =?utf-8?Q?=0D=0ABcc:_all=40lacewing.test?='
        const bug = await fileBug(world.edna, { cc: [reader.login], summary: hostile, whiteboard: hostile })
        await attach(world.edna, bug, { summary: hostile, file_name: hostile })
        for (const message of await lettersTo(reader.login)) {
          assert.equal(message.headers.has('bcc'), false)
          assert.equal(message.headers.get('subject')?.length, 1)
          assert.deepEqual(message.recipients, [reader.login])
        }
      })

      it('can be about long texts', async () => {
        const reader = await person()
        const long = 'a long line '.repeat(5000)
        await fileBug(world.edna, { cc: [reader.login], description: long, summary: 'é'.repeat(255) })
        const message = await onlyMailTo(reader.login)
        assert.ok(message.text.includes(long.trim()))
        assert.equal(message.subject.endsWith('é'.repeat(255)), true)
        for (const line of message.raw.split('\r\n')) assert.ok(line.length < 998)
      })
    })

    describe('people', () => {
      it('are not notified of their own changes, unless they want to be', async () => {
        const quiet = await person()
        const curious = await person()
        await choose(curious, { preferences: { cc: { own_changes: true } } })
        const bug = await fileBug(world.edna, { cc: [quiet.login, curious.login] })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(quiet.client, bug, { priority: 'High' })
        await changeBug(curious.client, bug, { priority: 'Low' })
        const texts = async (login: string) =>
          (await lettersTo(login)).map(({ text }) => /\|(High|Low)\n/.exec(text)?.[1])
        assert.deepEqual(await texts(quiet.login), ['Low'])
        assert.deepEqual(await texts(curious.login), ['High', 'Low'])
      })

      it('can choose to get no mail about unconfirmed bugs', async () => {
        const reader = await person()
        await choose(reader, { preferences: { cc: { unconfirmed: false } } })
        await world.ada.put('/rest/product/TestProduct', { has_unconfirmed: true })
        const bug = await fileBug(world.edna, { cc: [reader.login], status: 'UNCONFIRMED' })
        await changeBug(world.edna, bug, { priority: 'High' })
        await mailSettled(world)
        await changeBug(world.edna, bug, { status: 'CONFIRMED' })
        const message = await onlyMailTo(reader.login)
        assert.match(message.text, /UNCONFIRMED +\|CONFIRMED/)
      })

      it('who watch a user are notified like that user, by their own preferences', async () => {
        const watched = await person()
        const watcher = await person()
        const deaf = await person()
        await choose(watched, { preferences: { assigned_to: { progress: false, created: false } } })
        await choose(watcher, { watched_users: { add: [watched.login] } })
        await choose(deaf, {
          watched_users: { set: [watched.login] },
          preferences: { assigned_to: { progress: false, created: false } },
        })
        const bug = await fileBug(world.edna, { assigned_to: watched.login })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { priority: 'High' })
        const message = await onlyMailTo(watcher.login)
        assert.equal(header(message, 'X-Bugzilla-Reason'), 'None')
        assert.equal(header(message, 'X-Bugzilla-Watch-Reason'), `AssignedTo ${watched.login}`)
        assert.match(message.text, new RegExp(`because you watch ${watched.login}, to whom the bug is assigned`))
        assert.deepEqual(await lettersTo(watched.login), [])
        assert.deepEqual(await lettersTo(deaf.login), [])
      })

      it('who watch a user are not notified of anything that they may not see themselves', async () => {
        const watched = await newMember(world, 'editbugs', 'security')
        const watcher = await person()
        await choose(watcher, { watched_users: { add: [watched.login] } })
        const { name: product } = await newHiddenProduct(world)
        const bug = await fileBug(world.ada, { product, component: 'Core', assigned_to: watched.login })
        const open = await fileBug(world.ada, { assigned_to: watched.login })
        await changeBug(world.ada, open, { comment: { body: 'SECRET', is_private: true } })
        const messages = await lettersTo(watcher.login)
        assert.deepEqual(
          messages.map(({ subject }) => subject),
          [`[Bug ${open}] New: Something is wrong`],
        )
        assert.equal((await lettersTo(watched.login)).length, 3)
        assert.ok(bug > 0)
      })

      it('who watch everything are notified of everything that they may see', async () => {
        const watcher = await person()
        await world.withParameters({ globalwatchers: `${watcher.login}, nobody@nowhere.test` }, async () => {
          const { name: product } = await newHiddenProduct(world)
          const bug = await fileBug(world.edna)
          await fileBug(world.ada, { product, component: 'Core' })
          const messages = (await lettersTo(watcher.login)).filter(({ subject }) => !subject.includes('sentinel'))
          assert.deepEqual(
            messages.map((message) => [message.subject, header(message, 'X-Tracker-Reason')]),
            [[`[Bug ${bug}] New: Something is wrong`, 'GlobalWatcher']],
          )
        })
      })

      it('who just lost a role are notified', async () => {
        const [old, qa, copied] = [await person(), await person(), await person()]
        const bug = await fileBug(world.edna, { assigned_to: old.login, qa_contact: qa.login, cc: [copied.login] })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, {
          assigned_to: 'sven@lacewing.test',
          qa_contact: '',
          cc: { remove: [copied.login] },
        })
        assert.equal(header(await onlyMailTo(old.login), 'X-Tracker-Reason'), 'AssignedTo')
        assert.equal(header(await onlyMailTo(qa.login), 'X-Tracker-Reason'), 'QAcontact')
        assert.equal(header(await onlyMailTo(copied.login), 'X-Tracker-Reason'), 'CC')
        mailServer.clear()
        await changeBug(world.edna, bug, { priority: 'High' })
        for (const { login } of [old, qa, copied]) assert.deepEqual(await lettersTo(login), [])
      })

      it('who had a role at the time of an event are notified, and those who got it later are not', async () => {
        const [leaving, joining] = [await person(), await person()]
        const bug = await fileBug(world.edna, { cc: [leaving.login] })
        await mailSettled(world)
        mailServer.clear()
        // All of this happens before the first message is planned.
        await changeBug(world.edna, bug, { comment: { body: 'before' } })
        await changeBug(world.edna, bug, { cc: { remove: [leaving.login], add: [joining.login] } })
        await changeBug(world.edna, bug, { comment: { body: 'after' } })
        const returned = async (login: string) =>
          (await lettersTo(login)).map(({ text }) => /\n(before|after)\n/.exec(text)?.[1] ?? 'role')
        assert.deepEqual(await returned(leaving.login), ['before', 'role'])
        assert.deepEqual(await returned(joining.login), ['role', 'after'])
      })

      it('get one message for each change, even for changes in quick succession', async () => {
        const reader = await person()
        const bug = await fileBug(world.edna, { cc: [reader.login], priority: '---' })
        await mailSettled(world)
        mailServer.clear()
        for (const priority of ['High', 'Low', 'High', 'Low']) await changeBug(world.edna, bug, { priority })
        const lines = (await lettersTo(reader.login)).map(({ text }) => text.match(/Priority\|.*/g)?.map(inOneLine))
        assert.deepEqual(lines, [['---|High'], ['High|Low'], ['Low|High'], ['High|Low']])
      })

      it('get one message, even with several roles', async () => {
        const reader = await person()
        const bug = await fileBug(reader.client, { assigned_to: reader.login, cc: [reader.login] })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { priority: 'High' })
        const message = await onlyMailTo(reader.login)
        assert.equal(header(message, 'X-Tracker-Reason'), 'AssignedTo Reporter CC')
      })

      it('are not notified of bugs that they ignore', async () => {
        const reader = await person()
        const bug = await fileBug(world.edna, { cc: [reader.login] })
        const other = await fileBug(world.edna, { cc: [reader.login] })
        await choose(reader, { ignored_bugs: { add: [bug] } })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { ids: [bug, other], priority: 'High' })
        assert.match((await onlyMailTo(reader.login)).subject, new RegExp(`^\\[Bug ${other}\\]`))
      })

      it('get no mail if it is off, but do if their account is disabled', async () => {
        const [off, disabled] = [await person(), await person()]
        const bug = await fileBug(world.edna, { cc: [off.login, disabled.login] })
        await world.ada.put(`/rest/user/${off.id}`, { email_enabled: false })
        await world.ada.put(`/rest/user/${disabled.id}`, { login_denied_text: 'Left us.' })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { priority: 'High' })
        assert.equal((await lettersTo(disabled.login)).length, 1)
        assert.deepEqual(await lettersTo(off.login), [])
      })

      it('who may no longer see a bug when the message is sent are not notified', async () => {
        const reader = await newMember(world, 'editbugs', 'security')
        const { name: product } = await newHiddenProduct(world)
        const bug = await fileBug(world.ada, { product, component: 'Core' })
        await changeBug(world.ada, bug, { cc: { add: [reader.login] }, is_cc_accessible: false })
        await mailSettled(world)
        mailServer.clear()
        let letGo = () => {}
        const isHeld = new Promise<void>((resolve) => {
          mailServer.onRecipient = (address) =>
            address === reader.login
              ? new Promise((go) => {
                  letGo = go
                  resolve()
                })
              : Promise.resolve()
        })
        await changeBug(world.ada, bug, { comment: { body: 'first SECRET' } })
        await isHeld
        mailServer.onRecipient = async () => {}
        await changeBug(world.ada, bug, { comment: { body: 'second SECRET' } })
        await world.ada.put(`/rest/user/${reader.id}`, { groups: { remove: ['security'] } })
        letGo()
        const message = await onlyMailTo(reader.login)
        assert.match(message.text, /first SECRET/)
      })
    })

    describe('flags', () => {
      it('notify the requestee of a request, and the setter of the decision', async () => {
        const [asked, asker] = [await person(), await person()]
        const { name } = await newType(world, { inclusions: ['TestProduct'] })
        const bug = await fileBug(world.edna)
        await changeBug(asker.client, bug, {
          flags: [{ name, status: '?', requestee: asked.login }],
          comment: { body: 'Please look.' },
        })
        const requests = (messages: ReceivedMail[]) =>
          messages.filter((it) => header(it, 'X-Tracker-Type') === 'request')
        const [question] = requests(await lettersTo(asked.login))
        assert.ok(question)
        assert.equal(question.subject, `[Bug ${bug}] ${name} requested: Something is wrong`)
        assert.match(question.text, /Please look\./)
        assert.match(question.text, /because you are asked for it\./)
        assert.equal(header(question, 'In-Reply-To'), `<bug-${bug}-${asked.id}@https.bugs.lacewing.test>`)
        assert.match(header(question, 'X-Bugzilla-Flags') ?? '', new RegExp(`${name}\\?\\(${asked.login}\\)`))

        mailServer.clear()
        await changeBug(asked.client, bug, { flags: [{ name, status: '+' }] })
        const [answer] = requests(await lettersTo(asker.login))
        assert.equal(answer?.subject, `[Bug ${bug}] ${name} granted: Something is wrong`)
        assert.match(answer?.text ?? '', /because you asked for it\./)
      })

      it('do not notify users who do not want it', async () => {
        const [asked, asker] = [await person(), await person()]
        await choose(asked, {
          preferences: { flags: { requested: false }, cc: { other: false, role: false, cc: false } },
        })
        await choose(asker, { preferences: { flags: { answered: false } } })
        const { name } = await newType(world, { inclusions: ['TestProduct'] })
        const bug = await fileBug(world.edna)
        await changeBug(asker.client, bug, { flags: [{ name, status: '?', requestee: asked.login }] })
        await changeBug(world.edna, bug, { flags: [{ name, status: 'X' }] })
        assert.deepEqual(await lettersTo(asked.login), [])
        assert.deepEqual(await lettersTo(asker.login), [])
      })

      it('notify the addresses of their type, also without accounts', async () => {
        const listed = await person()
        const cc_list = [listed.login, 'list@elsewhere.test']
        const { name } = await newType(world, { inclusions: ['TestProduct'], cc_list })
        const bug = await fileBug(world.edna)
        await changeBug(world.edna, bug, { flags: [{ name, status: '?' }] })
        assert.match((await onlyMailTo(listed.login)).text, /your address is on the list of this flag/)
        const outsider = await onlyMailTo('list@elsewhere.test')
        assert.equal(header(outsider, 'In-Reply-To'), `<bug-${bug}-0@https.bugs.lacewing.test>`)
        assert.doesNotMatch(outsider.text, /Change your mail preferences/)
      })

      it('on hidden objects notify only users who may see them', async () => {
        const insider = await newMember(world, 'editbugs', 'security')
        const outsider = await person()
        const cc_list = [insider.login, outsider.login, 'list@elsewhere.test']
        const { name: product } = await newHiddenProduct(world)
        const { name } = await newType(world, { inclusions: ['TestProduct', product], cc_list })
        const onFile = await newType(world, { target_type: 'attachment', inclusions: ['TestProduct'], cc_list })
        const hidden = await fileBug(world.ada, { product, component: 'Core', flags: [{ name, status: '?' }] })
        const open = await fileBug(world.edna)
        const file = await attach(world.ada, open, {
          is_private: true,
          summary: 'SECRET file',
          flags: [{ name: onFile.name, status: '?' }],
        })
        const subjects = (await lettersTo(insider.login)).map(({ subject }) => subject)
        assert.deepEqual(
          subjects.sort(),
          [
            `[Bug ${hidden}] ${name} requested: Something is wrong`,
            `[Bug ${open}] ${onFile.name} requested: Something is wrong`,
          ].sort(),
        )
        const aboutFile = (await lettersTo(insider.login)).find(({ subject }) => subject.includes(onFile.name))
        assert.match(aboutFile?.text ?? '', new RegExp(`on attachment ${file} \\(SECRET file\\)`))
        assert.deepEqual(await lettersTo(outsider.login), [])
        assert.deepEqual(await lettersTo('list@elsewhere.test'), [])
      })
    })

    describe('bugs that belong together', () => {
      it('cause mail when a bug that they depend on is closed or reopened', async () => {
        const reader = await person()
        const blocker = await fileBug(world.edna, { summary: 'The cause' })
        const bug = await fileBug(world.edna, { cc: [reader.login], depends_on: [blocker], summary: 'The effect' })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, blocker, { priority: 'High' })
        await changeBug(world.edna, blocker, { status: 'RESOLVED', resolution: 'FIXED' })
        const message = await onlyMailTo(reader.login)
        assert.equal(message.subject, `[Bug ${bug}] The effect`)
        assert.equal(header(message, 'X-Tracker-Type'), 'dep_changed')
        assert.match(message.text, new RegExp(`Bug ${bug} depends on bug ${blocker} \\(The cause\\), which`))
        assert.match(message.text, / Status\|CONFIRMED +\|RESOLVED\n +Resolution\| +\|FIXED\n/)
        mailServer.clear()
        await changeBug(world.edna, blocker, { resolution: 'WONTFIX' })
        assert.deepEqual(await lettersTo(reader.login), [])
        await changeBug(world.edna, blocker, { status: 'CONFIRMED' })
        assert.equal((await lettersTo(reader.login)).length, 1)
      })

      it('cause mail only to users who may see both', async () => {
        const [insider, outsider] = [await newMember(world, 'editbugs', 'security'), await person()]
        const { name: product } = await newHiddenProduct(world)
        const blocker = await fileBug(world.ada, { product, component: 'Core', summary: 'SECRET cause' })
        await fileBug(world.ada, { cc: [insider.login, outsider.login], depends_on: [blocker] })
        await changeBug(world.ada, blocker, { status: 'RESOLVED', resolution: 'FIXED' })
        assert.equal((await lettersTo(insider.login)).length, 2)
        for (const message of await lettersTo(outsider.login)) {
          assert.doesNotMatch(message.raw, /SECRET/)
          assert.doesNotMatch(message.text, new RegExp(`\\b${blocker}\\b`))
        }
        assert.equal((await lettersTo(outsider.login)).length, 1)
      })

      it('cause mail about a new duplicate to users who may see it', async () => {
        const [insider, outsider] = [await newMember(world, 'editbugs', 'security'), await person()]
        const { name: product } = await newHiddenProduct(world)
        const target = await fileBug(world.ada, { cc: [insider.login, outsider.login] })
        const hidden = await fileBug(world.ada, { product, component: 'Core' })
        const open = await fileBug(world.ada)
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.ada, hidden, { dupe_of: target })
        assert.match((await onlyMailTo(insider.login)).text, new RegExp(`Bug ${hidden} is a duplicate`))
        assert.deepEqual(await lettersTo(outsider.login), [])
        await changeBug(world.ada, open, { dupe_of: target })
        assert.match((await onlyMailTo(outsider.login)).text, new RegExp(`Bug ${open} is a duplicate`))
      })

      it('cause mail about the other end of a dependency', async () => {
        const reader = await person()
        const blocker = await fileBug(world.edna, { cc: [reader.login] })
        await mailSettled(world)
        mailServer.clear()
        const bug = await fileBug(world.edna, { depends_on: [blocker] })
        assert.match((await onlyMailTo(reader.login)).text, new RegExp(` Blocks\\| +\\|${bug}\n`))
      })
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
