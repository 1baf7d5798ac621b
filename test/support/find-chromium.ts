import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptGet, aptGetInBackground } from './apt-get.ts'
import { unpackInBackground } from './unpack-packages.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without its windows, menus and extensions, as Debian packs it: it takes two thirds of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'
/** Where another Chromium is installed, the shell stays unpacked here for the next runs, with the files that it shares with others. */
const KEPT = join(tmpdir(), 'lacewing-debian-chromium-headless-shell')
const KEPT_SHELL = 'usr/lib/chromium/chromium-headless-shell'
const KEPT_PACKAGES = ['chromium-headless-shell', 'chromium-common']

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
  return [SHELL, join(KEPT, KEPT_SHELL)].find(existsSync) ?? installed()
}

export interface Installation {
  isDone: boolean
  readonly done: Promise<void>
}

/**
 * Gets what `findLeanChromium` prefers: unpacked beside another Chromium, whose libraries it uses, or installed where there is none. If it
 * cannot be had, the tests take the other, or say that there is none.
 */
export function installLeanChromium(): Installation {
  if (process.env.LACEWING_TEST_CHROMIUM || existsSync(SHELL) || runs(join(KEPT, KEPT_SHELL))) return NOTHING_TO_INSTALL
  if (installed() !== undefined) return installation(unpackShell())
  return mayInstall() ? installation(installFirstOf(['chromium-headless-shell', 'chromium'])) : NOTHING_TO_INSTALL
}

function installation(work: Promise<unknown>): Installation {
  const begun: Installation = {
    isDone: false,
    done: work.then(() => {
      begun.isDone = true
    }),
  }
  return begun
}

async function unpackShell() {
  const loads = (folder: string) => runs(join(folder, KEPT_SHELL), ['--no-sandbox', '--dump-dom', 'about:blank'])
  await unpackInBackground(KEPT_PACKAGES, KEPT, loads)
}

function runs(shell: string, words: readonly string[] = ['--version']) {
  return spawnSync(shell, words, { stdio: 'ignore', timeout: 10_000 }).status === 0
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
