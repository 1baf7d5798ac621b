/** What users say about a comment without writing one, under the names of BMO, of which three are allowed so that they count for something. */
export const REACTIONS = ['+1', 'heart', 'smile'] as const

export type ReactionName = (typeof REACTIONS)[number]

/** Of each name, the response names at most so many users. The numbers in comments are those of all. */
export const MOST_NAMED = 500

export function reactionIn(name: string): ReactionName | undefined {
  return REACTIONS.find((known) => known === name)
}
