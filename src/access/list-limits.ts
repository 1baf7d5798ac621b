import { errors } from '../platform/errors.ts'

/** What a bug can pile up that no catalogue limits. An import keeps more, which can still be changed and removed. */
export const LIST_LIMITS = {
  aliases: { most: 200, owner: 'A bug', subject: 'aliases' },
  seeAlso: { most: 2000, owner: 'A bug', subject: 'links in See Also' },
  commentTags: { most: 200, owner: 'A comment', subject: 'tags' },
  answers: { most: 30, owner: 'A bug', subject: 'comments that are marked as answers' },
  cannedReplies: { most: 100, owner: 'A product, or all products together,', subject: 'canned replies' },
  flags: { most: 200, owner: 'A bug or an attachment', subject: 'flags of one type' },
} as const

type ListName = keyof typeof LIST_LIMITS

/** Refuses a list that grows beyond its limit. One that is already longer may stay and shrink. */
export function requireListRoom(name: ListName, before: number, after: number) {
  if (after > before && after > LIST_LIMITS[name].most) throw errors.list_full(LIST_LIMITS[name])
}

/** For documentation. */
export function listLimit(name: ListName): string {
  const { most, owner, subject } = LIST_LIMITS[name]
  return `${owner} has at most ${most} ${subject}`
}
