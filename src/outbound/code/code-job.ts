import type { AttachedLinkJob } from '../../changes/change-links.ts'
import type { CodeReport } from './linking/code-change.ts'

/** A job of the queue CODE_QUEUE. The deliveries of one source are applied in order. */
export type CodeJob =
  | { sourceId: number; deliveryId: number; report: CodeReport }
  /** A comment at the source that names the bug. */
  | { sourceId: number; changeKey: string; linkBackTo: number }
  | AttachedLinkJob

export function laneOfSource(id: number) {
  return String(id)
}

/** The source may be slow, and deliveries do not wait for it. */
export function linkBackLaneOf(id: number) {
  return `${id} back`
}
