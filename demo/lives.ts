import { makeLog, makePatch, makePhoto } from './attachments.ts'
import type { BugReport } from './bug-reports.ts'
import { fieldsOf, keywordsFor, type PlannedBug } from './new-bugs.ts'
import { loginOf } from './people.ts'
import { products } from './products.ts'
import type { Random } from './random.ts'
import { type Occasion, remarks } from './remarks.ts'
import { Course } from './steps.ts'
import { isStaff, type Team, teams } from './teams.ts'
import type { Tracker } from './tracker.ts'

const SOFTWARE = ['Station Firmware', 'Weather Portal']
const CLOSED_WITHOUT_CHANGE = ['WONTFIX', 'INVALID', 'WORKSFORME'] as const

/** Plans what happens to a bug after its report. Steps later than today are left out when the plan is carried out. */
export function planLife(random: Random, report: BugReport, begin: number, earlier: readonly PlannedBug[]): PlannedBug {
  const life = new Life(random, report, begin, earlier)
  return life.plan()
}

class Life {
  private readonly bug: PlannedBug
  private readonly course: Course
  private readonly team: Team
  private readonly developer: string
  private readonly tester: string
  private readonly random: Random
  private readonly report: BugReport
  private readonly earlier: readonly PlannedBug[]

  constructor(random: Random, report: BugReport, begin: number, earlier: readonly PlannedBug[]) {
    this.random = random
    this.report = report
    this.earlier = earlier
    this.course = new Course(random, begin)
    this.team = teams[report.product] as Team
    const { reporter, fields } = fieldsOf(random, report, this.team, this.course.time)
    this.bug = {
      id: 0,
      report,
      reporter,
      fields,
      serial: fields.cf_serial ?? 'station',
      at: this.course.time,
      steps: this.course.steps,
    }
    this.developer = this.chosenDeveloper()
    this.tester = report.isSecret ? reporter : this.random.pick(this.team.testers)
  }

  plan(): PlannedBug {
    const { random, report, bug } = this
    this.course.now(bug.reporter, async (as) => {
      bug.id = (await as.post('/bug', bug.fields)).id
    })
    if (report.component === 'Returns') this.planReturn()
    else if (!random.chance(0.08)) this.planWork()
    return bug
  }

  private planReturn() {
    if (this.random.chance(0.5)) this.attach(2, this.bug.reporter, makePhoto(this.bug.serial), 'Photo')
    this.change(40, 'marco', 'triage', { status: 'IN_PROGRESS' })
    if (this.random.chance(0.4)) this.say(60, this.bug.reporter, 'talk')
    this.change(120, 'marco', 'returned', { status: 'RESOLVED', resolution: 'FIXED' })
  }

  private planWork() {
    const { random, report } = this
    this.triage()
    if (random.chance(0.3)) this.ask()
    for (let count = random.whole(0, 2); count > 0; count--) this.say(30, this.anyReporter(), 'talk')
    if (random.chance(0.15)) return
    if (report.cause === undefined && random.chance(0.6)) return this.closeWithoutChange()
    this.beginWork()
    if (random.chance(0.12)) this.waitForOthers()
    if (random.chance(0.12)) return
    if (SOFTWARE.includes(report.product)) this.review()
    this.fix()
    if (random.chance(0.12)) this.reopen()
    if (random.chance(0.6)) this.change(60, this.tester, 'verified', { status: 'VERIFIED' }, isStaff(this.tester))
  }

  private triage() {
    const { random, report, bug } = this
    const triager = report.isSecret ? bug.reporter : random.pick(this.team.triagers)
    const priority = random.pick(['Highest', 'High', 'Normal', 'Normal', 'Normal', 'Low', 'Lowest'])
    const keywords = keywordsFor(random, report)
    this.change(4, triager, 'triage', {
      status: 'CONFIRMED',
      priority,
      ...(keywords.length > 0 && { keywords: { add: keywords } }),
      ...(this.isHardware() && { cf_regions: [random.pick(['Alps', 'Coast', 'Lowlands', 'Tropics'])] }),
      ...(this.isHardware() && { cf_stations: random.whole(1, 40) }),
    })
    if (report.isSecret) this.flag(1, bug.reporter, { name: 'security-review', status: '+' })
    else if (
      SOFTWARE.includes(report.product) &&
      ['blocker', 'critical', 'major'].includes(String(bug.fields.severity))
    ) {
      this.flag(8, triager, { name: 'blocks-release', status: '?' })
      this.flag(20, 'bo', { name: 'blocks-release', status: random.chance(0.7) ? '+' : '-' })
    }
  }

  /** A developer asks the reporter, who answers and sometimes attaches a log. */
  private ask() {
    const { random, bug, developer } = this
    if (this.report.product === 'Data Logger') return
    const requestee = loginOf(bug.reporter)
    this.change(10, developer, 'question', { flags: [{ name: 'needinfo', status: '?', requestee }] })
    if (random.chance(0.15)) return
    if (this.isHardware() && random.chance(0.6))
      this.attach(30, bug.reporter, makeLog(random, bug.serial, this.course.time), 'Log of the station')
    this.change(20, bug.reporter, 'answer', { flags: [{ name: 'needinfo', status: 'X' }] })
  }

  private beginWork() {
    const { random, bug, developer } = this
    this.change(24, developer, 'work', {
      status: 'IN_PROGRESS',
      assigned_to: loginOf(developer),
      ...(isStaff(developer) && { estimated_time: random.whole(1, 24) }),
    })
    const cause = this.relatedBug()
    if (cause !== undefined && random.chance(0.5)) {
      const field = random.chance(0.6) ? 'depends_on' : 'cf_caused_by'
      this.course.after(2, developer, (as) =>
        as.put('/bug/:ref', { ref: bug.id, [field]: field === 'depends_on' ? { add: [cause.id] } : cause.id }),
      )
    }
    if (random.chance(0.1)) this.say(10, developer, 'private', { is_private: true })
  }

  private waitForOthers() {
    this.change(20, this.developer, 'waiting', { status: 'WAITING' }, true)
    this.change(150, this.developer, 'work', { status: 'IN_PROGRESS' })
  }

  /** A patch and its review by another developer; sometimes a second patch is needed. */
  private review() {
    const { random, bug, report, developer } = this
    const reviewer = this.team.developers.find((name) => name !== developer)
    if (reviewer === undefined || report.isSecret || random.chance(0.3)) return
    let attachment = 0
    const flags = [{ name: 'review', status: '?', requestee: loginOf(reviewer) }]
    const attachPatch = async (as: Tracker) => {
      const patch = { ...makePatch(random, report.component, bug.id), summary: `Patch for bug ${bug.id}`, flags }
      attachment = (await as.post('/bug/:ref/attachment', { ref: bug.id, ...patch })).ids[0] ?? 0
    }
    const judge = (status: string, occasion: Occasion) => (as: Tracker) =>
      as.put('/bug/attachment/:attachment_id', {
        attachment_id: attachment,
        flags: [{ name: 'review', status }],
        comment: random.pick(remarks[occasion]),
      })
    this.course.after(20, developer, attachPatch)
    if (random.chance(0.25)) {
      this.course.after(10, reviewer, judge('-', 'refusal'))
      this.course.after(20, developer, (as) =>
        as.put('/bug/attachment/:attachment_id', { attachment_id: attachment, is_obsolete: true }),
      )
      this.course.now(developer, attachPatch)
    }
    this.course.after(10, reviewer, judge('+', 'review'))
  }

  private fix() {
    const { random, report, developer } = this
    const milestones = products.find(({ name }) => name === report.product)?.milestones ?? []
    this.change(24, developer, 'fixed', {
      status: 'RESOLVED',
      resolution: 'FIXED',
      ...(milestones.length > 0 && { target_milestone: random.pick(milestones) }),
      ...(report.cause !== undefined && { cf_root_cause: report.cause }),
      ...(isStaff(developer) && { work_time: random.whole(1, 20) }),
    })
  }

  private reopen() {
    this.change(100, this.tester, 'reopened', { status: 'CONFIRMED' }, true)
    this.change(40, this.developer, 'work', { status: 'IN_PROGRESS' })
    this.fix()
  }

  private closeWithoutChange() {
    const resolution = this.random.pick(CLOSED_WITHOUT_CHANGE)
    this.change(150, this.developer, resolution, { status: 'RESOLVED', resolution }, true)
  }

  private change(hours: number, who: string, occasion: Occasion, fields: object, alwaysSays = false) {
    const says = alwaysSays || this.random.chance(0.7)
    const comment = says ? { comment: { body: this.random.pick(remarks[occasion]) } } : {}
    this.course.after(hours, who, (as) => as.put('/bug/:ref', { ref: this.bug.id, ...fields, ...comment }))
  }

  private flag(hours: number, who: string, flag: object) {
    this.course.after(hours, who, (as) => as.put('/bug/:ref', { ref: this.bug.id, flags: [flag] }))
  }

  private say(hours: number, who: string, occasion: Occasion, more: object = {}) {
    const comment = this.random.pick(remarks[occasion])
    this.course.after(hours, who, (as) => as.post('/bug/:ref/comment', { ref: this.bug.id, comment, ...more }))
  }

  private attach(hours: number, who: string, file: object, summary: string) {
    this.course.after(hours, who, (as) => as.post('/bug/:ref/attachment', { ref: this.bug.id, ...file, summary }))
  }

  /** A public bug from some time before this one. */
  private relatedBug(): PlannedBug | undefined {
    const candidates = this.earlier.filter(
      ({ report, at }) =>
        !report.isSecret &&
        report.product === this.report.product &&
        report.component !== 'Returns' &&
        at < this.bug.at,
    )
    return this.report.isSecret || candidates.length === 0 ? undefined : this.random.pick(candidates)
  }

  private chosenDeveloper() {
    // Only its assignee and the group see a secret bug.
    return this.report.isSecret ? (this.team.developers[0] as string) : this.random.pick(this.team.developers)
  }

  private anyReporter() {
    return this.report.isSecret ? this.bug.reporter : this.random.pick([this.bug.reporter, ...this.team.reporters])
  }

  private isHardware() {
    return ['Weather Station', 'Station Firmware'].includes(this.report.product)
  }
}
