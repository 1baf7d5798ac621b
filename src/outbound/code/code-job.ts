import type { CodeReport } from './linking/code-change.ts'

/** The queue of what arrived from sources and of links back to them. The deliveries of one source are applied in order. */
export const CODE_QUEUE = 'code'

export type CodeJob =
  | { sourceId: number; deliveryId: number; report: CodeReport }
  /** A comment at the source that names the bug. */
  | { sourceId: number; changeKey: string; linkBackTo: number }

export function laneOfSource(id: number) {
  return String(id)
}

/** The source may be slow, and deliveries do not wait for it. */
export function linkBackLaneOf(id: number) {
  return `${id} back`
}
