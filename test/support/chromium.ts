import { type Browser, chromium } from 'playwright-core'

/** Chromium does not look for updates or other hosts; as root it cannot have its sandbox. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Drawing and networking in the process of the browser takes less processor time than in processes of their own, and no page of a test lives
 * long enough for its scripts to be optimized.
 */
const LEAN_ARGUMENTS = [
  ...ARGUMENTS,
  '--disable-extensions',
  '--js-flags=--no-maglev --no-opt',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
]

/** For tests: pages are drawn and used as in any Chromium, but nobody measures how fast. */
export function launchLeanChromium(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...LEAN_ARGUMENTS, ...more] })
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS })
}
