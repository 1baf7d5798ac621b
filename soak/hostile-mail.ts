import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { many } from '../test/support/hostile-requests.ts'
import { type Account, arrange, attempt, type HostileContext } from './hostile-context.ts'

const MAILDIR = 'unreadable mail in the Maildir'
const PROGRAM = 'unreadable mail for receive-mail'
const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url))
const LONGEST_WAIT_MILLISECONDS = 90_000
const REFUSED = 65

/** Unreadable messages before and after a good one: the good one becomes a bug. */
export async function sendUnreadableMail(context: HostileContext) {
  const { maildir, round, tally } = context
  const address = await addressOf(context)
  const summary = `Good mail ${round}`
  const messages = [...unreadable(address), good(address, summary), ...unreadable(address)]
  for (const [number, message] of messages.entries()) deliver(maildir, `${round}.${number}`, message)
  const until = performance.now() + LONGEST_WAIT_MILLISECONDS
  while (!(await isFiled(context, summary))) {
    if (performance.now() > until) return tally.fail(MAILDIR, 'the good message behind them did not arrive')
    await sleep(500)
  }
  for (const _ of unreadable(address)) tally.count(MAILDIR, 'did not delay others')
  tally.count(MAILDIR, 'good one arrived')
}

/** The same for mail servers that run a program for each message. */
export async function runReceiveMail(context: HostileContext) {
  const { round, tally } = context
  const address = await addressOf(context)
  for (const message of unreadable(address)) {
    const code = await receive(context, message)
    tally.count(PROGRAM, `exit code ${code}`)
    if (code !== REFUSED && code !== 0) tally.fail(PROGRAM, `an unreadable message ended with ${code}`)
  }
  const summary = `Good mail for the program ${round}`
  const code = await receive(context, good(address, summary))
  tally.count(PROGRAM, `good one: exit code ${code}`)
  if (code !== 0 || !(await isFiled(context, summary))) tally.fail(PROGRAM, `the good message ended with ${code}`)
}

async function addressOf(context: HostileContext): Promise<string> {
  const { login, key } = context.accounts[0] as Account
  await arrange(context.port, 'PUT', '/parameters', { incoming_address: 'bugs@tracker.test' })
  const path = `/user/${encodeURIComponent(login)}/mail_address` as const
  return (await attempt(context, { kind: MAILDIR, method: 'GET', path }, key)).json.address ?? ''
}

function unreadable(address: string): string[] {
  const head = `To: ${address}\r\nMessage-ID: <${Math.random()}@elsewhere.test>\r\n`
  const nested = (levels: number) =>
    many(levels, (level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`).join('')
  return [
    `${head}${nested(300)}\r\nDeep.\r\n`,
    `${head}${nested(5000)}\r\nDeeper.\r\n`,
    `${head}${'Content-Type: message/rfc822\r\n\r\n'.repeat(2000)}`,
    `${head}Subject: ${'=?UTF-8?B?/////w==?= '.repeat(10_000)}\r\n\r\nOdd.\r\n`,
    `${head}Content-Type: text/plain; charset=no-such-charset\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%\r\n`,
    '\u0000'.repeat(100_000),
  ]
}

function good(address: string, summary: string): string {
  return [
    'From: A writer <writer@elsewhere.test>',
    `To: ${address}`,
    `Subject: ${summary}`,
    `Message-ID: <${Math.random()}@elsewhere.test>`,
    '',
    '@product = TestProduct',
    '@component = TestComponent',
    '',
    'It broke.',
  ].join('\r\n')
}

function deliver(maildir: string, name: string, message: string) {
  for (const folder of ['tmp', 'new', 'cur'].map((it) => join(maildir, it)))
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  writeFileSync(join(maildir, 'tmp', name), message, 'latin1')
  renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name))
}

async function isFiled({ port }: HostileContext, summary: string): Promise<boolean> {
  const { bugs } = await arrange(
    port,
    'GET',
    `/bug?short_desc_type=substring&short_desc=${encodeURIComponent(summary)}`,
  )
  return bugs.length > 0
}

function receive({ place }: HostileContext, message: string): Promise<number | null> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'receive-mail'], {
    env: { PATH: process.env.PATH ?? '', LACEWING_DATA: place.folder, ...place.environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end(message, 'latin1')
  return new Promise((resolve) => child.once('close', resolve))
}
