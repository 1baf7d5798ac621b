import type { Mutant } from './instrumented-copy.ts'

/** A mutant that no test can catch, because nothing that anybody can observe differs. */
export interface EquivalentMutant {
  file: string
  /** The line of the source in which it begins, and what it changes there. */
  code: string
  from: string
  to: string
  why: string
}

export function isMeant({ file, code, from, to }: EquivalentMutant, mutant: Mutant): boolean {
  return (
    mutant.file === file &&
    mutant.code === code &&
    onOneLine(mutant.original) === from &&
    onOneLine(mutant.replacement) === to
  )
}

function onOneLine(text: string) {
  return text.replace(/\s+/g, ' ')
}
