import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../../../access/call.ts'
import { requireGroup } from '../../../access/caller.ts'
import { requireRecentProof } from '../../../access/recent-proof.ts'
import { countTest } from '../../../changes/count-tests.ts'
import { emailOf } from '../../../people/users/user.ts'
import type { CallConfig } from '../../../platform/config/config.ts'
import { isMailServer, mailServerIn } from '../../../platform/config/mail-server.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'
import { countTakenSince, listRefusedMessages } from '../../incoming/incoming-store.ts'
import { SET_ASIDE } from '../../incoming/watch-maildir.ts'
import { endDelays } from '../../jobs/lane-store.ts'
import { mailAddress } from '../headers/one-header.ts'
import { findMailOutage } from '../sending/mail-outage-store.ts'
import { QUEUES_OF_MAIL } from '../sending/watch-transport.ts'
import { countUndelivered } from '../undelivered/undelivered-store.ts'
import { MailServer, MailTest } from './mail-server-schema.ts'

const resource = 'mail'
const DAY_SECONDS = 86_400
const SHOWN_REFUSALS = 50
/** People wait for the answer, and so does the connection of their browser. */
const TEST_MILLISECONDS = 10_000

const getMailServer = call({
  method: 'GET',
  path: '/admin/mail',
  resource,
  summary: 'The mail server, the queue and incoming mail.',
  about: 'For members of admin. User and password of the mail server are not returned.',
  params: {},
  answers: MailServer,
  scope: 'admin',
  async run({ db, caller, settings, config }) {
    requireGroup(caller, 'admin')
    const taken = await countTakenSince(db, secondsAgo(DAY_SECONDS))
    return {
      ...sourceOf(config, settings),
      from: settings.mailfrom,
      ...(await countUndelivered(db)),
      outage: (await findMailOutage(db)) ?? null,
      incoming: {
        address: settings.incoming_address,
        ...(await maildirState(config)),
        accepted: taken.count,
        last_accepted_at: taken.last,
        refused: await listRefusedMessages(db, SHOWN_REFUSALS),
      },
    }
  },
})

const postMailTest = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/admin/mail/test',
  resource,
  summary: 'Send a test message to the caller.',
  about:
    'For members of admin. It is sent at once through the mail server, and not queued. If it is accepted, mail that waits is sent, too. It is recorded in the audit log.',
  params: {},
  status: 200,
  answers: MailTest,
  scope: 'admin',
  async run(context) {
    const { db, caller, settings, config, baseUrl } = context
    const admin = requireGroup(caller, 'admin')
    requireRecentProof(context)
    const to = emailOf(admin, settings)
    if (mailAddress(to) === undefined)
      throw errors.bad_value({ name: 'login', value: to, right: 'it must be a mail address to get a message' })
    await countTest(db, admin.id, { class: 'Mail', what: to })
    // The library for mail is loaded by the delivery thread, and here only when it is needed.
    const { testMail } = await import('./test-mail.ts')
    const test = { config, settings, baseUrl, sender: 'its administration', milliseconds: TEST_MILLISECONDS }
    const result = await testMail(test, to)
    // What waits is tried now. Its first success ends the outage.
    if (result.sent) await db.transaction((tx) => endDelays(tx, QUEUES_OF_MAIL))
    return { to, ...result }
  },
})

/** Only what the environment or a parameter says about the server, and nothing of its login. */
function sourceOf({ smtpUrl }: CallConfig, { smtp_url }: Settings) {
  if (smtpUrl !== undefined)
    return { source: 'environment' as const, server: URL.canParse(smtpUrl) ? mailServerIn(smtpUrl) : null }
  return isMailServer(smtp_url)
    ? { source: 'parameter' as const, server: mailServerIn(smtp_url) }
    : { source: 'none' as const, server: null }
}

/** How many messages wait in the Maildir, and could not be read. A folder that is gone has none. */
async function maildirState({ maildir }: CallConfig) {
  const count = (folder: string) =>
    readdir(join(maildir ?? '', folder)).then(
      (names) => names.filter((name) => !name.startsWith('.')).length,
      () => 0,
    )
  const has_maildir = maildir !== undefined
  return {
    has_maildir,
    waiting: has_maildir ? await count('new') : 0,
    set_aside: has_maildir ? await count(SET_ASIDE) : 0,
  }
}

export const mailServerRoutes = [getMailServer, postMailTest] as const
