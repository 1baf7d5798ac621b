import { StrangeAnswer } from '../failures/strange-answer.ts'

/** The objects of a list in an answer. Throws if it is none: not finding anything must not look like an answer that is not understood. */
export function objectsIn(list: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(list) && list.every((it) => typeof it === 'object' && it !== null && !Array.isArray(it)))
    return list
  throw new StrangeAnswer(`${name} is not a list of objects`)
}
