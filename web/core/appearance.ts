// Light or dark, and how dense. The server reads the same cookies, so that a page begins in the right colours.
import { signal } from '@preact/signals'
import { root } from './server/known-answers.ts'

const system = matchMedia('(prefers-color-scheme: dark)')
const page = document.documentElement

function current(): 'light' | 'dark' {
  const chosen = page.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return system.matches ? 'dark' : 'light'
}

export const theme = signal(current())
system.addEventListener('change', () => {
  theme.value = current()
})

const YEAR_SECONDS = 31_536_000

function keep(name: string, value: string | undefined) {
  const age = value === undefined ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before any script runs
  document.cookie = `${name}=${value ?? ''}; Path=${root || '/'}; Max-Age=${age}; SameSite=Lax`
}

/** Undefined follows the system. */
export function setTheme(chosen: 'light' | 'dark' | undefined) {
  if (chosen === undefined) delete page.dataset.theme
  else page.dataset.theme = chosen
  keep('theme', chosen)
  theme.value = current()
}

export function setDensity(chosen: string | undefined) {
  if (chosen === undefined) delete page.dataset.density
  else page.dataset.density = chosen
  keep('density', chosen)
}
