// Tries a lost connection again. A page of an older release is loaded again when the reader is not writing.
import { effect } from '@preact/signals'
import { showToast } from '../toasts.ts'
import { root } from './known-answers.ts'
import { isConnected } from './rest.ts'

const TRY_AGAIN_MILLISECONDS = 2000

let timer: ReturnType<typeof setTimeout> | undefined

effect(() => {
  clearTimeout(timer)
  if (!isConnected.value) timer = setTimeout(checkConnection, TRY_AGAIN_MILLISECONDS)
})

/** Asks the server for the name of its first script. Where that is another one, the server has been updated. */
export async function checkConnection() {
  try {
    const response = await fetch(`${root}/assets/current`, { cache: 'no-store' })
    const current = await response.text()
    isConnected.value = true
    if (response.ok && !isLoaded(current)) loadAgain()
  } catch {
    isConnected.value = false
    clearTimeout(timer)
    timer = setTimeout(checkConnection, TRY_AGAIN_MILLISECONDS)
  }
}

function isLoaded(script: string) {
  return document.querySelector(`script[src$="/${CSS.escape(script)}"]`) !== null
}

function loadAgain() {
  const isWriting = document.activeElement?.closest('input, textarea, select, dialog') != null
  if (!isWriting) return location.reload()
  showToast({
    kind: 'done',
    text: 'The tracker was updated.',
    action: { name: 'Load it again', run: () => location.reload() },
  })
}
