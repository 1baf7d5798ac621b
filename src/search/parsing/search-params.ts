import type { RequestParams } from '../../platform/wire/params.ts'

/** The parameters of a search, each of which somebody must take: what nobody takes is not known here. */
export class SearchParams {
  private readonly given: RequestParams
  private readonly taken = new Set<string>()

  constructor(given: RequestParams) {
    this.given = given
  }

  get names(): string[] {
    return Object.keys(this.given)
  }

  /** What was given under the name, once or several times. */
  take(name: string): string[] {
    const value = this.given[name]
    if (value !== undefined) this.taken.add(name)
    return (Array.isArray(value) ? value : [value]).filter(isPlain).map(String)
  }

  /** The same without what is blank: a form sends everything that was not filled in. */
  takeFilled(name: string): string[] {
    return this.take(name).filter((value) => value.trim() !== '')
  }

  /** The last of them, trimmed; empty when there is none. */
  takeOne(name: string): string {
    return this.take(name).at(-1)?.trim() ?? ''
  }

  get left(): string[] {
    return this.names.filter((name) => !this.taken.has(name))
  }
}

function isPlain(value: unknown) {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
