import { showToast } from './toasts.ts'

/** Copies a text and says so. Browsers allow it only on pages from https or from this computer. */
export async function copyText(text: string, done: string, ifRefused = `The browser does not allow copying: ${text}`) {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ kind: 'done', text: done })
  } catch {
    showToast({ kind: 'failed', text: ifRefused })
  }
}
