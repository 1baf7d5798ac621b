import type { BugReport } from './bug-reports.ts'
import { products } from './products.ts'
import type { Random } from './random.ts'
import type { Step } from './steps.ts'
import { customers, isStaff, type Team } from './teams.ts'

/** A bug with everything that will happen to it. */
export interface PlannedBug {
  /** Known after it is filed. */
  id: number
  report: BugReport
  reporter: string
  fields: ReturnType<typeof fieldsOf>['fields']
  serial: string
  at: number
  steps: Step[]
}

const HOUR = 3_600_000

/** The fields that the reporter fills in. */
export function fieldsOf(random: Random, report: BugReport, team: Team, at: number) {
  const { product, component, summary, description, isSecret } = report
  const reporter = isSecret ? 'farah' : random.pick(team.reporters)
  const fields = {
    product,
    component,
    summary,
    description,
    version: versionAt(random, product),
    severity: random.pick([
      'critical',
      'major',
      'normal',
      'normal',
      'normal',
      'normal',
      'minor',
      'trivial',
      'enhancement',
    ]),
    op_sys: product === 'Weather Portal' ? random.pick(['All', 'Windows', 'Mac OS', 'Linux']) : 'All',
    ...foundBy(random, reporter),
    ...(isStation(product) ? { cf_serial: serialNumber(random) } : {}),
    ...(random.chance(0.5) && { cf_first_seen: new Date(at - random.between(1, 200) * HOUR).toISOString() }),
    ...(isSecret && { groups: ['security'] }),
  }
  return { reporter, fields }
}

export function serialNumber(random: Random) {
  return `SK-${random.whole(2, 6)}${String(random.whole(0, 9999)).padStart(4, '0')}`
}

function isStation(product: string) {
  return product === 'Weather Station' || product === 'Station Firmware'
}

function foundBy(random: Random, reporter: string) {
  if (!isStaff(reporter)) return { cf_found_by: 'Customer', cf_customer: customers[reporter] ?? 'A private person' }
  return { cf_found_by: random.pick(['Field test', 'Our tests', 'Our tests', 'Production']) }
}

/** Newer versions are reported more often. */
function versionAt(random: Random, product: string) {
  const versions = products.find(({ name }) => name === product)?.versions ?? []
  return versions[Math.floor(Math.sqrt(random.next()) * versions.length)]
}

/** Keywords that follow from the text of a report. */
export function keywordsFor(random: Random, { summary, description, product }: BugReport): string[] {
  const text = `${summary} ${description}`
  return [
    ...(/start again|starts again|restart|overflow|hangs|does not start|dead/i.test(text) ? ['crash'] : []),
    ...(/lost|loses|missing|gone|forgets/i.test(text) ? ['data-loss'] : []),
    ...(/since|update|old|was with/i.test(text) ? ['regression'] : []),
    ...(isStation(product) && random.chance(0.3) ? ['needs-hardware'] : []),
    ...(random.chance(0.12) ? ['easy'] : []),
  ]
}
