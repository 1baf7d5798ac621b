/** A metric with its values, in the format of Prometheus. */
export interface MetricFamily {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: Sample[]
}

export interface Sample {
  /** Appended to the name of the family, for the parts of a histogram. */
  suffix?: string
  /** For example queue="mail". */
  labels?: string
  value: number
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function singleMetric(name: string, type: MetricFamily['type'], help: string, value: number): MetricFamily {
  return { name, type, help, samples: [{ value }] }
}

export function withLabel(label: string, families: readonly MetricFamily[]): MetricFamily[] {
  return families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: [label, ...labelsOf(sample)].join() })),
  }))
}

function labelsOf({ labels }: Sample) {
  return labels === undefined ? [] : [labels]
}

/** Merges families of the same name. */
export function merged(all: readonly MetricFamily[]): MetricFamily[] {
  const byName = Map.groupBy(all, ({ name }) => name)
  return [...byName.values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : { ...first, samples: same.flatMap(({ samples }) => samples) }
  })
}

export function expositionText(families: readonly MetricFamily[]): string {
  return families.map((family) => `${linesOf(family).join('\n')}\n`).join('')
}

function linesOf({ name, type, help, samples }: MetricFamily) {
  const lines = samples.map(({ suffix = '', labels, value }) => {
    return `${name}${suffix}${labels === undefined ? '' : `{${labels}}`} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}
