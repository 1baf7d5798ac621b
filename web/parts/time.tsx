import { signal } from '@preact/signals'
import { isPrinting } from '../core/printing.ts'
import { exactTime, printedTime, relativeTime, timeAgo } from '../core/times.ts'

const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 30_000)

interface Props {
  at: string
  /** In a sentence: “5 min ago” instead of “5 min”. */
  isInSentence?: boolean
}

/** How long ago, kept up to date; the exact time on hover. */
export function Time({ at, isInSentence = false }: Props) {
  const words = isInSentence ? timeAgo : relativeTime
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isPrinting.value ? printedTime(at) : words(at, now.value)}
    </time>
  )
}
