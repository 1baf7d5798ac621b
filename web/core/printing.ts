// A printed page shows everything that is loaded: what is folded or far from the screen is drawn too, and times are exact.
import { signal } from '@preact/signals'

export const isPrinting = signal(false)

addEventListener('beforeprint', () => {
  isPrinting.value = true
})
addEventListener('afterprint', () => {
  isPrinting.value = false
})
