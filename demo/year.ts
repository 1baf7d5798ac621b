import { makeReturns, readBugReports } from './bug-reports.ts'
import { planHabits } from './habits.ts'
import { planLife } from './lives.ts'
import { type PlannedBug, serialNumber } from './new-bugs.ts'
import { products } from './products.ts'
import { Random } from './random.ts'
import { Course, type Step } from './steps.ts'
import { type Team, teams } from './teams.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SEED = 20

/** Everything that happens in the company between two times, in order. */
export function planYear(from: number, to: number): Step[] {
  const random = new Random(SEED)
  const bugs: PlannedBug[] = []
  for (const { report, at } of datedReports(random, from, to)) bugs.push(planLife(random, report, at, bugs))
  const copies = bugs.flatMap((bug) => bug.report.again.flatMap((summary) => planDuplicate(random, bug, summary)))
  const steps = [
    ...bugs.flatMap((bug) => bug.steps),
    ...copies,
    ...closedProducts(from, to),
    ...planHabits(random, bugs),
  ]
  return steps.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at)
}

function datedReports(random: Random, from: number, to: number) {
  const reports = [...readBugReports(), ...makeReturns(() => serialNumber(random))]
  const dated = reports.map((report) => {
    const end = isClosed(report.product) ? closingTime(from, to) - 30 * DAY : to
    return { report, at: random.between(from + DAY, end - HOUR) }
  })
  return dated.sort((a, b) => a.at - b.at)
}

function isClosed(product: string) {
  return products.find(({ name }) => name === product)?.is_open === false
}

function closingTime(from: number, to: number) {
  return from + (to - from) / 3
}

function closedProducts(from: number, to: number): Step[] {
  return products
    .filter(({ name }) => isClosed(name))
    .map(({ name }) => ({
      at: closingTime(from, to),
      who: 'bo',
      act: (as) => as.put('/product/:ref', { ref: name, is_open: false }),
    }))
}

/** Another user reports the same bug, until the duplicate is noticed. */
function planDuplicate(random: Random, first: PlannedBug, summary: string): Step[] {
  const { reporters, triagers } = teams[first.report.product] as Team
  const others = reporters.filter((name) => name !== first.reporter)
  const course = new Course(random, first.at + random.between(1, 25) * DAY)
  const bug = { id: 0 }
  course.now(random.pick(others), async (as) => {
    const { product, component, version, severity } = first.fields
    const description = random.pick(['I have not found this anywhere.', 'Since this week.', 'Please help.'])
    bug.id = (await as.post('/bug', { product, component, version, severity, summary, description })).id
  })
  course.after(6, random.pick(triagers), (as) =>
    as.put('/bug/:ref', {
      ref: bug.id,
      dupe_of: first.id,
      comment: { body: 'Thank you. We know this one already.' },
    }),
  )
  return course.steps
}
