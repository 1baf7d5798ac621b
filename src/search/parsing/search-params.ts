import type { RequestParams } from '../../platform/wire/params.ts'

/** The parameters of a search. Parsers take the ones that they know; those that are left are unknown. */
export class SearchParams {
  private readonly rawParams: RequestParams
  private readonly taken = new Set<string>()

  constructor(input: RequestParams) {
    this.rawParams = input
  }

  get names(): string[] {
    return Object.keys(this.rawParams)
  }

  /** The values of a parameter, which may be repeated. */
  take(name: string): string[] {
    const value = this.rawParams[name]
    if (value !== undefined) this.taken.add(name)
    return (Array.isArray(value) ? value : [value]).filter(isPlain).map(String)
  }

  /** The same without empty values, which a form sends for fields that were not filled in. */
  takeFilled(name: string): string[] {
    return this.take(name).filter((value) => value.trim() !== '')
  }

  /** The last value, trimmed; empty if there is none. */
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
