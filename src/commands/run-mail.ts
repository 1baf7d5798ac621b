import { countUndelivered, retryUndelivered } from '../outbound/mail/undelivered/undelivered-store.ts'
import { testMail } from '../upkeep/test-mail.ts'
import { NOT_DONE } from './exit-codes.ts'
import type { CommandOutput } from './output.ts'
import { withInstallation } from './with-installation.ts'

export function runMailTest(address: string, output: CommandOutput) {
  return withInstallation(async (db, config) => {
    const result = await testMail(db, config, address)
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
