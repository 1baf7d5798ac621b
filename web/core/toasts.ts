// Short messages at the bottom right, one at a time. An error stays until it is dismissed.
import { signal } from '@preact/signals'
import { isLoginRequired, isSessionOver, NoConnection } from './server/rest.ts'

export interface Toast {
  text: string
  kind: 'done' | 'failed'
  action?: { name: string; run(): void }
}

const SHOWN_MILLISECONDS = 8000

export const toast = signal<Toast | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

export function showToast(next: Toast) {
  toast.value = next
  clearTimeout(timer)
  if (next.kind === 'done') closeToastAfter(SHOWN_MILLISECONDS)
}

export function closeToastAfter(milliseconds: number) {
  clearTimeout(timer)
  timer = setTimeout(dismissToast, milliseconds)
}

/** Called while the pointer or the focus is on the toast. */
export function keepToast() {
  clearTimeout(timer)
}

export function dismissToast() {
  clearTimeout(timer)
  toast.value = undefined
}

/** What failed only because the server does not answer can be tried again. */
export function showFault(fault: unknown, retry?: () => void) {
  // The dialog of frame/session-over.tsx says it.
  if (isSessionOver.value && isLoginRequired(fault)) return
  const canRetry = retry !== undefined && fault instanceof NoConnection
  showToast({
    kind: 'failed',
    text: fault instanceof Error ? fault.message : String(fault),
    ...(canRetry && { action: { name: 'Try again', run: retry } }),
  })
}

/** Makes a change, then shows that it is done, or why it was refused. */
export async function showResult(change: () => Promise<unknown>, done: string, then?: () => void) {
  try {
    await change()
    showToast({ kind: 'done', text: done })
    then?.()
  } catch (fault) {
    showFault(fault, () => void showResult(change, done, then))
  }
}
