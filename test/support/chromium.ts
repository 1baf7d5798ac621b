import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without its windows, menus and extensions, as Debian packs it: it takes two thirds of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'
const LONGEST_INSTALLATION_MILLISECONDS = 180_000

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

/** Drawing and networking in the process of the browser takes less processor time than in processes of their own. */
const LEAN_ARGUMENTS = [
  ...ARGUMENTS,
  '--disable-extensions',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
]

/** The path of Chromium: the one that is installed, or Debian's, which is installed where that is allowed. */
export function findChromium(): string | undefined {
  const chosen = process.env.LACEWING_TEST_CHROMIUM
  if (chosen) return chosen
  const found = PLACES.find(existsSync)
  if (found !== undefined || process.getuid?.() !== 0) return found
  return isInstalled('chromium') ? PLACES.find(existsSync) : undefined
}

/** As `findChromium`, but prefers what takes the least processor time. */
export function findLeanChromium(): string | undefined {
  if (process.env.LACEWING_TEST_CHROMIUM) return findChromium()
  if (existsSync(SHELL)) return SHELL
  const isNeeded = !PLACES.some(existsSync) && process.getuid?.() === 0
  return isNeeded && isInstalled('chromium-headless-shell') ? SHELL : findChromium()
}

/** Installs a package of Debian. */
function isInstalled(name: string): boolean {
  const options = { stdio: 'ignore', timeout: LONGEST_INSTALLATION_MILLISECONDS } as const
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], options).status === 0
  return install() || (spawnSync('apt-get', ['update'], options).status === 0 && install())
}

/** For tests: pages are drawn and used as in any Chromium, but nobody measures how fast. */
export function launchLeanChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: LEAN_ARGUMENTS })
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS })
}
