import type { Context } from '../../context.ts'
import { CommandFailure } from '../../failures/command-failure.ts'
import { askYesOrNo, canAsk } from '../../input/ask.ts'
import type { Connection } from '../../servers/connection.ts'
import { possibleDuplicates, showDuplicates } from './possible-duplicates.ts'

interface CheckOptions {
  readonly unlessDuplicate?: boolean
  readonly yes?: boolean
}

/** Shows likely duplicates of a bug before it is filed, and asks at a terminal whether to go on: once for each summary. */
export class DuplicateCheck {
  private readonly context: Context
  private readonly connection: Connection
  private readonly options: CheckOptions
  private readonly checked = new Set<string>()

  constructor(context: Context, connection: Connection, options: CheckOptions) {
    this.context = context
    this.connection = connection
    this.options = options
  }

  async requireNone({ summary, product }: Readonly<Record<string, unknown>>) {
    const { output } = this.context
    const key = JSON.stringify([summary, product])
    if (this.checked.has(key)) return
    const found = await possibleDuplicates(this.connection, String(summary), product ? String(product) : undefined)
    if (found === undefined) output.note(`${this.connection.name} does not look for likely duplicates.`)
    else showDuplicates(found, output)
    if (found !== undefined && found.length > 0) await this.requireGoOn()
    this.checked.add(key)
  }

  private async requireGoOn() {
    const { unlessDuplicate, yes } = this.options
    if (unlessDuplicate) throw new CommandFailure('Nothing was filed, because there are likely duplicates.')
    if (canAsk() && !yes && !(await askYesOrNo('File the bug anyway?'))) throw new CommandFailure('Nothing was filed.')
  }
}
