import { signal } from '@preact/signals'
import { isPrinting } from '../core/printing.ts'
import { exactTime, printedTime, relativeTime } from '../core/times.ts'

const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 30_000)

/** How long ago, kept up to date; the exact time on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isPrinting.value ? printedTime(at) : relativeTime(at, now.value)}
    </time>
  )
}
