import type { CDPSession, Page } from 'playwright-core'
import type { TestMailServer } from './mail-server.ts'
import { mailSent } from './mail-settled.ts'
import type { World } from './world.ts'

/** The newest link that was mailed to the address. */
export async function linkFor(world: World, mailServer: TestMailServer, address: string): Promise<string> {
  await mailSent(world)
  const texts = mailServer.notices.filter(({ recipients }) => recipients.includes(address)).map(({ text }) => text)
  const links = texts.flatMap((text) => /^http:\S+(\/confirm\S*#\w+)$/m.exec(text)?.[1] ?? [])
  return links.at(-1) ?? ''
}

/** On the page that a link opens. */
export async function choosePassword(page: Page, password: string) {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password again').fill(password)
  await page.keyboard.press('Enter')
}

/** Browsers allow passkeys at localhost, but not at 127.0.0.1. The environment must be that of the world. */
export async function serveAtLocalhost(world: World, environment: Record<string, string>) {
  await world.stopServer()
  environment.LACEWING_BASE_URL = `http://localhost:${new URL(world.url).port}`
  await world.startServer()
  world.url = environment.LACEWING_BASE_URL
}

export interface Authenticator {
  session: CDPSession
  authenticatorId: string
}

/** A passkey of Chromium, in software. It answers at once, as if its user had touched it. */
export async function withAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

/** Takes the passkeys away, so that another page or the same one later gets them. A copy that goes on counting by itself would be refused. */
export async function takePasskeys({ session, authenticatorId }: Authenticator) {
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  await session.send('WebAuthn.clearCredentials', { authenticatorId })
  return {
    async giveTo(other: Authenticator) {
      const { authenticatorId } = other
      await other.session.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of credentials)
        await other.session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}
