import { NOT_DONE } from '../exit-codes.ts'
import type { CommandOutput } from '../output.ts'
import type { CodeOptions } from './code-options.ts'
import { commitsIn, targetOf } from './git-repository.ts'
import { sendCommits } from './send-commits.ts'

/** Sends the whole log of the branch. Only links are made of it. */
export async function runCodeSync(folder: string, options: CodeOptions, output: CommandOutput) {
  const target = await targetOf(folder, options).catch(() => `${folder} is not a git repository`)
  if (typeof target === 'string') return fail(output, target)
  let count = 0
  try {
    for await (const commits of commitsIn(folder, target.branch)) {
      const fault = await sendCommits(target, commits, true)
      if (fault !== undefined) return fail(output, `${fault}; ${count} commits were sent before`)
      count += commits.length
    }
  } catch {
    return fail(output, `the log of the branch ${target.branch} cannot be read`)
  }
  output.print({ commits: count }, `${count} commits were sent. Those that name bugs are linked in the next minutes.`)
}

function fail(output: CommandOutput, sentence: string) {
  output.fail(sentence)
  process.exitCode = NOT_DONE
}
