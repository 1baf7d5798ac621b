/** One kind of error: its number, its sentence, and what it is about. */
export interface ErrorKind<Details> {
  code: number
  status: number
  sentence: (details: Details) => string
  about: About<Details> | undefined
  headers: ((details: Details) => Record<string, string>) | undefined
  /** Details that are values for programs, though the sentence has other words for them. */
  shows: readonly (keyof Details)[]
}

/** The parameter of the call, or the field of the object, that an error is about: its name, or the detail that has the name. */
export type About<Details> =
  | { parameter: string }
  | { field: string }
  | { parameterIn: keyof Details }
  | { fieldIn: keyof Details }

interface Options<Details> {
  about?: About<Details>
  status?: number
  headers?: (details: Details) => Record<string, string>
  shows?: readonly (keyof Details)[]
}

export function kind<Details = undefined>(
  code: number,
  sentence: (it: Details) => string,
  { about, status = statusOf(code), headers, shows = [] }: Options<Details> = {},
): ErrorKind<Details> {
  return { code, status, sentence, about, headers, shows }
}

/** compat: forbidden is 401, never 403; numbers that are not listed are 400. */
function statusOf(code: number) {
  if ([51, 101, 32614].includes(code)) return 404
  return [102, 106, 109, 110, 113, 115, 120, 300, 301, 302, 303, 304, 410, 504, 505].includes(code) ? 401 : 400
}
