// Reads the comments of one bug: the oldest and the newest ones come first, the others when these are painted.
import { batch, computed, signal } from '@preact/signals'
import { COMMENTS_AT_EACH_END } from '../../../../shared/parts-of-pages.ts'
import { afterPaint } from '../../../core/after-paint.ts'
import { getOnce } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import {
  type CommentList,
  commentNumberIn,
  isWordless,
  listOfEnds,
  type NumberRange,
  partCall,
  rangeAround,
  sizeOf,
  withPart,
} from './comment-list.ts'

const COMMENTS_AT_ONCE = 500

/** All comments of a range of numbers. */
export interface CommentPart {
  comments: readonly Comment[]
  range: NumberRange
}

export class BugComments {
  readonly list = signal<readonly Comment[]>([])
  /** Those that have not been read yet. */
  readonly gaps = signal<readonly NumberRange[]>([])
  readonly count = computed(() => {
    const read = this.list.value.filter((comment) => !isWordless(comment)).length
    return this.gaps.value.reduce((sum, gap) => sum + sizeOf(gap), read)
  })
  private readonly ref: string
  private request: Promise<void> | undefined

  constructor(ref: string) {
    this.ref = ref
  }

  setEnds(comments: readonly Comment[]) {
    this.set(listOfEnds(comments))
  }

  setAll(comments: readonly Comment[]) {
    this.set({ comments, gaps: [] })
  }

  add({ comments, range }: CommentPart) {
    this.set(withPart({ comments: this.list.value, gaps: this.gaps.value }, comments, range))
  }

  /** Reads the comments between the oldest and the newest ones. */
  loadRest(): Promise<void> {
    this.request ??= this.readGaps().finally(() => {
      this.request = undefined
    })
    return this.request
  }

  /** Reads the comment that the address names, with those around it, unless it is among the oldest ones or was read before. */
  async readLinked(hash: string): Promise<CommentPart | undefined> {
    const number = commentNumberIn(hash) ?? 0
    if (number < COMMENTS_AT_EACH_END || this.list.value.some(({ count }) => count === number)) return undefined
    return this.read(rangeAround(number))
  }

  private async readGaps() {
    for (let [gap] = this.gaps.value; gap !== undefined; [gap] = this.gaps.value) {
      const part = await this.read({ from: gap.from, to: Math.min(gap.to, gap.from + COMMENTS_AT_ONCE - 1) })
      if (part === undefined) return
      this.add(part)
      await afterPaint()
    }
  }

  /** Undefined if the server does not answer: the comments around it can be read nevertheless. */
  private async read(range: NumberRange): Promise<CommentPart | undefined> {
    const answer = await getOnce(partCall(this.ref, range)).catch(() => undefined)
    return answer && { comments: Object.values(answer.bugs)[0]?.comments ?? [], range }
  }

  private set({ comments, gaps }: CommentList) {
    batch(() => {
      this.list.value = comments
      this.gaps.value = gaps
    })
  }
}
