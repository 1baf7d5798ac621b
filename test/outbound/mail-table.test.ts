import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { attach } from '../support/attach.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { describeDeliveryOnOneEngine, type World } from '../support/world.ts'

/*
 * Relationship × event × preference × privacy, whole. There are four bugs. The people of two of them are insiders, those of the others are
 * not; the people of one of each pair want only the event at hand, those of the other everything but that event. Each event happens to all
 * four at once, and is told to exactly those who want it and may know of it.
 */

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const ROLES = ['assigned_to', 'qa_contact', 'reporter', 'cc'] as const
type Role = (typeof ROLES)[number]
type Person = Awaited<ReturnType<World['newUser']>>

interface Case {
  wants: 'only this' | 'all but this'
  isInsider: boolean
  people: Record<Role, Person>
  bug: number
}

interface Event {
  name: string
  /** What else happens with it, and is switched off too where the event is. */
  along?: readonly string[]
  roles?: readonly Role[]
  /** Makes it happen to all bugs. What is secret holds the word SECRET wherever it says something. */
  happens: (scene: MailCase) => Promise<void>
  /** Only insiders may know of it. */
  isSecret?: boolean
}

interface MailCase {
  world: World
  cases: Case[]
  ids: number[]
  product: string
  /** Attachments of the bugs, in their order. */
  files: { open: number[]; secret: number[] }
  secretBug: number
  openBug: number
  newcomer: Person
  keyword: string
}

const editor = (scene: MailCase) => scene.world.ada
const toAll = (change: (scene: MailCase) => object) => async (scene: MailCase) => {
  await changeBug(editor(scene), scene.ids[0] as number, { ids: scene.ids, ...change(scene) })
}

const EVENTS: Event[] = [
  { name: 'other', happens: toAll(({ world }) => ({ whiteboard: world.unique('note') })) },
  {
    name: 'other',
    isSecret: true,
    happens: toAll(({ world }) => ({ estimated_time: Number(world.unique('').slice(-3)) + 1 })),
  },
  { name: 'comment', happens: toAll(() => ({ comment: { body: 'Something was said.' } })) },
  { name: 'comment', isSecret: true, happens: toAll(() => ({ comment: { body: 'SECRET words', is_private: true } })) },
  { name: 'attachment', happens: async (scene) => void (await attachToAll(scene, {})) },
  {
    name: 'attachment',
    isSecret: true,
    happens: async (scene) => void (await attachToAll(scene, { is_private: true, summary: 'SECRET file' })),
  },
  { name: 'attachment_data', happens: (scene) => describeFiles(scene, scene.files.open, scene.world.unique('A file')) },
  {
    name: 'attachment_data',
    isSecret: true,
    happens: (scene) => describeFiles(scene, scene.files.secret, scene.world.unique('SECRET file')),
  },
  { name: 'progress', happens: toAll(() => ({ priority: 'High' })) },
  {
    name: 'resolution',
    async happens(scene) {
      await toAll(() => ({ status: 'RESOLVED', resolution: 'FIXED' }))(scene)
      await mailSettled(scene.world)
      mailServer.clear()
      await toAll(() => ({ resolution: 'WONTFIX' }))(scene)
    },
  },
  { name: 'keywords', happens: toAll(({ keyword }) => ({ keywords: { add: [keyword] } })) },
  { name: 'cc', happens: toAll(({ newcomer }) => ({ cc: { add: [newcomer.login] } })) },
  { name: 'dependencies', happens: toAll(({ openBug }) => ({ depends_on: { add: [openBug] } })) },
  { name: 'dependencies', isSecret: true, happens: toAll(({ secretBug }) => ({ depends_on: { add: [secretBug] } })) },
  { name: 'component', happens: toAll(() => ({ component: 'UI' })) },
  {
    name: 'created',
    async happens(scene) {
      for (const it of scene.cases) it.bug = await fileFor(scene.product, it.people)
      scene.ids = scene.cases.map(({ bug }) => bug)
    },
  },
  {
    name: 'role',
    roles: ['assigned_to', 'qa_contact', 'cc'],
    along: ['cc', 'other'],
    happens: toAll(({ newcomer, cases }) => ({
      assigned_to: newcomer.login,
      qa_contact: newcomer.login,
      cc: { remove: cases.map(({ people }) => people.cc.login) },
    })),
  },
]

async function attachToAll({ world, ids }: MailCase, more: object): Promise<number[]> {
  const made: number[] = []
  for (const id of ids) made.push(await attach(world.ada, id, { summary: 'A file', ...more }))
  return made
}

async function describeFiles({ world }: MailCase, ids: number[], summary: string) {
  const { status, text } = await world.ada.put(`/rest/bug/attachment/${ids[0]}`, { ids, summary })
  assert.equal(status, 200, text)
}

async function fileFor(product: string, { assigned_to, qa_contact, reporter, cc }: Record<Role, Person>) {
  const people = { assigned_to: assigned_to.login, qa_contact: qa_contact.login, cc: [cc.login] }
  return fileBug(reporter.client, { product, component: 'Core', version: '1.0', op_sys: 'All', ...people })
}

describeDeliveryOnOneEngine(
  'mail, by relationship, event, preference and privacy',
  (world) => {
    let scene: MailCase

    before(async () => {
      const group = 'security'
      await world.ada.put('/rest/parameters', { insidergroup: group, timetrackinggroup: group })
      const product = (await newProduct(world, ['Core', 'UI'])).name
      const cases: Case[] = []
      for (const isInsider of [false, true])
        for (const wants of ['only this', 'all but this'] as const) {
          const people = {} as Record<Role, Person>
          for (const role of ROLES)
            people[role] = await newMember(world, 'editbugs', 'canconfirm', ...(isInsider ? [group] : []))
          cases.push({ wants, isInsider, people, bug: await fileFor(product, people) })
        }
      const keyword = world.unique('keyword')
      await world.ada.post('/rest/keyword', { name: keyword, description: 'A word' })
      const hidden = (await newHiddenProduct(world)).name
      const secretBug = await fileBug(world.ada, { product: hidden, component: 'Core', summary: 'SECRET bug' })
      const openBug = await fileBug(world.ada, { summary: 'Another bug' })
      const newcomer = await world.newUser()
      const ids = cases.map(({ bug }) => bug)
      scene = { world, cases, ids, product, files: { open: [], secret: [] }, secretBug, openBug, newcomer, keyword }
      scene.files.open = await attachToAll(scene, {})
      scene.files.secret = await attachToAll(scene, { is_private: true })
      await mailSettled(world)
    })

    for (const event of EVENTS)
      it(`sends mail about ${event.name}${event.isSecret ? ' that only insiders may know of' : ''}`, async () => {
        for (const { wants, people } of scene.cases)
          for (const role of ROLES) await choose(people[role], role, event, wants)
        // Choices cause no mail, and that of the event before has arrived.
        mailServer.clear()
        await event.happens(scene)
        await mailSettled(world)

        const returned = new Map(mailServer.messages.map((message) => [message.recipients.join(), message]))
        for (const { wants, isInsider, people, bug } of scene.cases)
          for (const role of event.roles ?? ROLES) {
            const mayKnow = isInsider || !event.isSecret
            const letter = returned.get(people[role].login)
            const who = `${role} who wants ${wants}, ${isInsider ? 'an insider' : 'no insider'}`
            assert.equal(letter !== undefined, wants === 'only this' && mayKnow, who)
            if (letter === undefined) continue
            assert.match(letter.subject, new RegExp(`^\\[Bug ${bug}\\] `))
            assert.equal(letter.headers.get('x-tracker-reason')?.join(), WORDS[role], who)
            if (!isInsider) assert.doesNotMatch(letter.raw, /SECRET/)
          }
        const people = new Set(scene.cases.flatMap((it) => ROLES.map((role) => it.people[role].login)))
        const toPeople = mailServer.messages.filter(({ recipients }) => people.has(recipients.join()))
        assert.equal(new Set(toPeople.map(({ recipients }) => recipients.join())).size, toPeople.length)
      })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)

const WORDS = { assigned_to: 'AssignedTo', qa_contact: 'QAcontact', reporter: 'Reporter', cc: 'CC' }

const CHOICES = [
  ...['other', 'role', 'comment', 'attachment', 'attachment_data', 'progress', 'resolution', 'keywords', 'cc'],
  ...['dependencies', 'created', 'component'],
]

/** For the one role they have; what they did themselves they always want to hear of. */
async function choose(person: Person, role: Role, event: Event, wants: Case['wants']) {
  const isThis = (choice: string) =>
    choice === event.name || (wants === 'all but this' && (event.along ?? []).includes(choice))
  const wanted = CHOICES.map((choice) => [choice, isThis(choice) === (wants === 'only this')])
  const chosen = { ...Object.fromEntries(wanted), own_changes: true, unconfirmed: true }
  const { status, text } = await person.client.put(`/rest/user/${person.id}/mail`, { preferences: { [role]: chosen } })
  assert.equal(status, 200, text)
}
