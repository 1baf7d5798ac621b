import { wordsIn } from '../../../platform/text/words.ts'

/** The words of a summary that distinguish it from others, as stems. */
export function significantWords(summary: string): string[] {
  const written = summary.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => [...word].length >= SHORTEST_WORD)
  const significant = written.filter((word) => !SMALL_WORDS.has(word.toLowerCase()))
  const stems = (significant.length > 0 ? significant : written).flatMap((word) => wordsIn(word))
  return [...new Set(stems)].slice(0, MOST_WORDS)
}

const SHORTEST_WORD = 3
const MOST_WORDS = 20

/** Common English words, which say nothing about the subject. */
const SMALL_WORDS = new Set(
  `about after all and any are because been before but can cannot could did does doesn don for from had has have how into isn its
  just may more not now off once only onto our out over should some still such than that the their them then there these they this
  through too under until upon very was were what when where which while who why will with without would you your`.split(
    /\s+/,
  ),
)

/**
 * How similar two summaries are, from 0 to 1: the number of shared words divided by the number of all words of both. It depends on
 * nothing else, so that hidden bugs do not influence the order.
 */
export function similarity(filed: ReadonlySet<string>, summary: string): number {
  const words = new Set(significantWords(summary))
  const shared = filed.intersection(words).size
  return shared === 0 ? 0 : shared / (filed.size + words.size - shared)
}
