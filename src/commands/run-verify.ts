import { REST_DEFAULTS } from '../moving/rest-client/rest-server.ts'
import { exitCodeOf, NOT_COMPARED, resultAsJson, resultAsText } from '../moving/verify/print-result.ts'
import { readPeople } from '../moving/verify/verify-people.ts'
import { verifyServers } from '../moving/verify/verify-servers.ts'
import { readKeyVariables } from '../platform/config/config.ts'
import { Refusal } from '../platform/refusal.ts'
import type { CommandOutput } from './output.ts'
import type { VerifyCommandOptions, VerifyNumbers } from './verify-options.ts'

export async function runVerify(options: VerifyCommandOptions, numbers: VerifyNumbers, output: CommandOutput) {
  try {
    const people = readPeople(options.as, options.keys, readKeyVariables())
    const result = await verifyServers(
      {
        old: options.old,
        new: options.new,
        people,
        sample: numbers.sample,
        concurrency: numbers.concurrency,
        examples: numbers.examples,
        rest: { ...REST_DEFAULTS, rate: numbers.rate, timeoutMilliseconds: numbers.timeout * 1000 },
      },
      output.progress,
    )
    output.print(resultAsJson(result), resultAsText(result))
    process.exitCode = exitCodeOf(result)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    output.fail(fault.message)
    process.exitCode = NOT_COMPARED
  }
}
