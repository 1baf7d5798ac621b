import type { ApiError } from './errors.ts'

/** A rule of the domain as a sentence, the test that detects a violation, and the error that the client then gets. */
export interface Rule<Subject> {
  says: string
  brokenBy: (subject: Subject) => boolean
  error: (subject: Subject) => ApiError
}

/** Throws the error of the first broken rule; the order of `rules` is part of the API. */
export function enforce<Subject>(rules: readonly Rule<Subject>[], subject: Subject) {
  const broken = rules.find((rule) => rule.brokenBy(subject))
  if (broken) throw broken.error(subject)
}

/** The same rule for a part of something larger; it is skipped if there is no such part. */
export function ruleForPart<Whole, Part>(partOf: (whole: Whole) => Part | undefined, rule: Rule<Part>): Rule<Whole> {
  return {
    says: rule.says,
    brokenBy: (whole) => {
      const part = partOf(whole)
      return part !== undefined && rule.brokenBy(part)
    },
    error: (whole) => rule.error(partOf(whole) as Part),
  }
}
