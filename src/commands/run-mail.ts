import { readSettings } from '../access/installation.ts'
import { testMail } from '../outbound/mail/server/test-mail.ts'
import { countUndelivered, retryUndelivered } from '../outbound/mail/undelivered/undelivered-store.ts'
import { ownBaseAddress } from '../platform/config/base-address.ts'
import { NOT_DONE } from './exit-codes.ts'
import type { CommandOutput } from './output.ts'
import { withInstallation } from './with-installation.ts'

export function runMailTest(address: string, output: CommandOutput) {
  return withInstallation(async (db, config) => {
    const test = {
      config,
      settings: await readSettings(db),
      baseUrl: config.baseUrl ?? ownBaseAddress(config),
      sender: 'the command "lacewing mail test"',
      milliseconds: 30_000,
    }
    const result = await testMail(test, address)
    output.print(result, result.sentence)
    if (!result.sent) process.exitCode = NOT_DONE
  })
}

export function runMailRetry(output: CommandOutput) {
  return withInstallation(async (db) => {
    const before = await db.transaction(async (tx) => {
      const counts = await countUndelivered(tx)
      await retryUndelivered(tx)
      return counts
    })
    output.confirm(before, `${before.waiting} waiting messages are tried now, and ${before.dead} that were given up.`)
  })
}
