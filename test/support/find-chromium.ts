import { existsSync } from 'node:fs'
import { aptGet, aptGetInBackground } from './apt-get.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without its windows, menus and extensions, as Debian packs it: it takes two thirds of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** The path of Chromium: the one that is installed, or Debian's, which is installed where that is allowed. */
export function findChromium(): string | undefined {
  const found = installed()
  if (found !== undefined || !mayInstall()) return found
  const install = () => aptGet(installationOf('chromium'))
  return install() || (aptGet(UPDATE) && install()) ? installed() : undefined
}

/** As `findChromium`, but prefers what takes the least processor time, and installs nothing. */
export function findLeanChromium(): string | undefined {
  if (process.env.LACEWING_TEST_CHROMIUM) return installed()
  return existsSync(SHELL) ? SHELL : installed()
}

export interface Installation {
  isDone: boolean
  readonly done: Promise<void>
}

/** Installs what `findLeanChromium` prefers, on a machine that has no Chromium. If it cannot, the tests say so. */
export function installLeanChromium(): Installation {
  if (findLeanChromium() !== undefined || !mayInstall()) return NOTHING_TO_INSTALL
  const installation: Installation = {
    isDone: false,
    done: installFirstOf(['chromium-headless-shell', 'chromium']).then(() => {
      installation.isDone = true
    }),
  }
  return installation
}

export const NOTHING_TO_INSTALL: Installation = { isDone: true, done: Promise.resolve() }

/** Not every Debian has all of them. */
async function installFirstOf(names: readonly string[]) {
  for (const name of names) {
    const install = () => aptGetInBackground(installationOf(name))
    if ((await install()) || ((await aptGetInBackground(UPDATE)) && (await install()))) return
  }
}

function installed(): string | undefined {
  return process.env.LACEWING_TEST_CHROMIUM || PLACES.find(existsSync)
}

function mayInstall(): boolean {
  return process.getuid?.() === 0
}

function installationOf(name: string) {
  return ['install', '-y', '--no-install-recommends', name]
}

/** A new machine has no list of packages, or an old one. */
const UPDATE = ['update']
