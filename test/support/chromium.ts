import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
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

/** The path of Chromium: the one that is installed, or Debian's, which is installed where that is allowed. */
export function findChromium(): string | undefined {
  const chosen = process.env.LACEWING_TEST_CHROMIUM
  if (chosen) return chosen
  const found = PLACES.find(existsSync)
  if (found !== undefined || process.getuid?.() !== 0) return found
  const options = { stdio: 'ignore', timeout: LONGEST_INSTALLATION_MILLISECONDS } as const
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options).status === 0
  if (install() || (spawnSync('apt-get', ['update'], options).status === 0 && install())) return PLACES.find(existsSync)
  return undefined
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS })
}
