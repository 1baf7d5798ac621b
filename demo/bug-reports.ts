import { readFileSync } from 'node:fs'

/** A bug report. */
export interface BugReport {
  product: string
  component: string
  summary: string
  description: string
  /** The cause, for bugs that are fixed. */
  cause?: string
  /** For the group security only. */
  isSecret?: boolean
  /** Summaries of duplicates that other users file. */
  again: string[]
}

/** The reports in bugs.txt: a heading for each component, and below it a paragraph for each bug. */
export function readBugReports(): BugReport[] {
  const text = readFileSync(new URL('bugs.txt', import.meta.url), 'utf8')
  return text.split(/^# /m).slice(1).flatMap(readComponent)
}

function readComponent(section: string): BugReport[] {
  const [heading = '', ...bugs] = section.split(/^\* /m)
  const [, product = '', component = ''] = /^(.*?) \/ (.*)$/m.exec(heading) ?? []
  return bugs.map((bug) => ({ product, component, ...readBug(bug) }))
}

function readBug(text: string) {
  const [summary = '', ...lines] = text.trim().split(/\n\s*/)
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}: `) ? line.slice(name.length + 2) : []))
  const [cause] = valuesOf('cause')
  return {
    summary,
    description: lines.filter((line) => !/^(cause|again|secret): /.test(line)).join(' '),
    ...(cause !== undefined && { cause }),
    isSecret: valuesOf('secret').length > 0,
    again: valuesOf('again'),
  }
}

const RETURNS = [
  ['has sent nothing for three days', 'The customer has started it again twice.'],
  ['comes back with a broken cup', 'The anemometer has two cups left.'],
  ['measures no rain', 'The bucket moves, but nothing is counted.'],
  ['was hit by lightning', 'It is black inside. The customer asks whether that is covered.'],
  ['was delivered without its panel', 'The box was closed with our tape.'],
  ['is to be exchanged for a Mk 3', 'The customer pays the difference.'],
  ['shows 40 °C in the shade', 'Sensor or shield? To be looked at in the lab.'],
  ['fell off its mast', 'The clamp was never tightened, says the photo.'],
] as const

const RETURNS_COUNT = 64

/** Returned stations, which are all much alike. */
export function makeReturns(serialNumber: () => string): BugReport[] {
  return Array.from({ length: RETURNS_COUNT }, (_, index) => {
    const [what, description] = RETURNS[index % RETURNS.length] as (typeof RETURNS)[number]
    const summary = `Station ${serialNumber()} ${what}`
    return { product: 'Weather Station', component: 'Returns', summary, description, again: [] }
  })
}
