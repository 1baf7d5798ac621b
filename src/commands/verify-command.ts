import type { Command } from 'commander'
import { WRONG_COMMAND_LINE } from './exit-codes.ts'
import { outputOf } from './output.ts'
import type { VerifyCommandOptions } from './verify-options.ts'

const [FASTEST_RATE, MOST_AT_ONCE, MOST_EXAMPLES, LONGEST_TIMEOUT] = [10_000, 32, 100, 3600]

export function addVerifyCommand(program: Command) {
  program
    .command('verify')
    .description('Compare two servers through their REST API, bug by bug, as several people.')
    .requiredOption('--old <url>', 'The address of the old server, Bugzilla 5 or Lacewing.')
    .requiredOption('--new <url>', 'The address of the new server.')
    .option(
      '--as <name>',
      'A person to compare as: NAME:KEY, NAME:OLDKEY:NEWKEY, or NAME with the keys in the environment variables OLD_KEY_NAME and NEW_KEY_NAME. Repeatable; anonymous is always compared.',
      (word: string, words: string[]) => [...words, word],
      [] as string[],
    )
    .option(
      '--keys <file>',
      'A JSON file with an API key for each person: {"edna": "KEY", "ada": {"old": "…", "new": "…"}}.',
    )
    .option('--sample <number>', 'Compare this many bugs, spread over all; without it every bug.')
    .option('--rate <number>', 'The most requests per second to each server; without it as many as it answers.')
    .option('--concurrency <number>', 'How many bugs are compared at the same time.', '2')
    .option('--timeout <seconds>', 'How long one answer may take.', '120')
    .option('--examples <number>', 'How many examples of each kind of difference are printed.', '3')
    .addHelpText(
      'after',
      '\nBoth servers are only read. Differences that docs/compat.md explains are counted apart.\n' +
        'Other users of the machine see the command line: give keys in the environment or in a file.\n' +
        'Exit codes: 0 the servers agree, 1 they differ, 2 they could not be compared. See docs/moving-in.md.',
    )
    .action(async (options: VerifyCommandOptions, own: Command) => {
      const number = (name: keyof VerifyCommandOptions, most: number, isWhole = true) => {
        const text = options[name]
        if (text === undefined) return undefined
        const value = Number(text)
        if (!(value > 0 && value <= most) || (isWhole && !Number.isInteger(value)))
          own.error(`error: --${name} must be a number above 0 and at most ${most}`, { exitCode: WRONG_COMMAND_LINE })
        return value
      }
      await (await import('./run-verify.ts')).runVerify(
        options,
        {
          sample: number('sample', 2 ** 31),
          rate: number('rate', FASTEST_RATE, false),
          concurrency: number('concurrency', MOST_AT_ONCE) ?? 2,
          timeout: number('timeout', LONGEST_TIMEOUT, false) ?? 120,
          examples: number('examples', MOST_EXAMPLES) ?? 3,
        },
        outputOf(own),
      )
    })
}
