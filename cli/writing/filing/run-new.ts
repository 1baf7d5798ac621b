import { type Context, wrongCommandLine } from '../../context.ts'
import { CommandFailure } from '../../failures/command-failure.ts'
import { EXIT, type ExitCode } from '../../failures/exit-codes.ts'
import { failureFor } from '../../failures/rest-failures.ts'
import { askYesOrNo, canAsk } from '../../input/ask.ts'
import { editText, withExplanation } from '../../input/editor.ts'
import { KeptText, removeIfKept, sendKept } from '../../input/kept-text.ts'
import { shownValue } from '../../reading/shown-value.ts'
import type { Connection } from '../../servers/connection.ts'
import { type FieldOptions, type Fields, fieldsOf, itemsOf } from '../field-options.ts'
import { proposalIn } from '../proposal.ts'
import { readGivenText, type TextOptions } from '../typed-text.ts'
import { type BugText, bugText, missingIn, readBugText, withoutLine } from './bug-text.ts'
import { readDraft } from './draft.ts'
import { DuplicateCheck } from './duplicate-check.ts'
import { fileBug } from './file-bug.ts'
import { placesToFile } from './places-to-file.ts'

export interface NewOptions extends FieldOptions, TextOptions {
  readonly cc?: string
  readonly keywords?: string
  readonly draft?: string
  readonly edit?: boolean
  readonly unlessDuplicate?: boolean
  readonly yes?: boolean
}

const WANTED = { purpose: 'bug', again: 'lacewing new --draft FILE' }

export async function runNew(options: NewOptions, context: Context) {
  const connection = context.connect()
  const fields: Fields = { ...readDraft(options.draft), ...fieldsOf(options) }
  for (const name of ['cc', 'keywords'] as const) if (options[name] !== undefined) fields[name] = itemsOf(options[name])
  const text = await readGivenText(options, false)
  if (text !== undefined) fields.description = text
  const filing = { context, connection, fields, duplicates: new DuplicateCheck(context, connection, options) }
  const missing = ['summary', 'product', 'component'].filter((name) => !fields[name])
  const isEdited = options.edit || missing.length > 0 || (text === undefined && canAsk() && !options.yes)
  if (!isEdited) await fileAtOnce(filing)
  else if (canAsk()) await fileFromEditor(filing)
  else throw noTerminal(filing, missing)
  removeIfKept(options.draft, context)
}

interface Filing {
  readonly context: Context
  readonly connection: Connection
  readonly fields: Fields
  readonly duplicates: DuplicateCheck
}

async function fileAtOnce({ context, connection, fields, duplicates }: Filing) {
  const kept = new KeptText(context, WANTED, bugText(fields))
  const answer = await sendKept(kept, connection.name, async () => {
    await duplicates.requireNone(fields)
    return fileBug(connection, fields)
  })
  await printFiled(answer, context, connection)
}

function noTerminal({ context, fields }: Filing, missing: readonly string[]) {
  const wanted = missing.length > 0 ? `: give ${missing.map((it) => `--${it}`).join(', ')}` : ''
  const kept = fields.description ? `\n${new KeptText(context, WANTED, bugText(fields)).whereItIs}` : ''
  return wrongCommandLine(`There is no terminal for an editor${wanted}.${kept}`)
}

/** The editor again and again, until the bug is filed or given up. What was typed stays in the same file. */
async function fileFromEditor(filing: Filing) {
  const { context, connection, fields, duplicates } = filing
  // Whoever finds the same bug need not describe it.
  if (fields.summary) await duplicates.requireNone(fields)
  let text = bugText(fields)
  const kept = new KeptText(context, WANTED, text)
  for (;;) {
    const explanation = [...EXPLANATION, ...(await placesToFile(connection, readBugText(text).fields.product))]
    text = await editText(context.environment, kept, withExplanation(text, explanation))
    const bug = readBugText(text)
    if (!bug.fields.summary && !bug.fields.description && bug.unknown.length === 0) {
      kept.remove()
      throw new CommandFailure('The summary and the description are empty. Nothing was filed.')
    }
    const answer = await sendKept(kept, connection.name, () => fileTyped(bug, filing)).catch(againAfter(filing))
    if (answer !== undefined) return printFiled(answer, context, connection)
  }
}

async function fileTyped({ fields: typed, unknown }: BugText, { connection, duplicates, fields: given }: Filing) {
  if (unknown.length > 0)
    throw wrongCommandLine(
      `This line is no field, and no description because no empty line is before it: ${unknown[0]}`,
    )
  const fields = { ...withoutLine(given), ...typed }
  const missing = missingIn(fields)
  if (missing.length > 0) throw wrongCommandLine(`Missing: ${missing.join(', ')}.`)
  await duplicates.requireNone(fields)
  return fileBug(connection, fields)
}

/** Asks whether to edit again, where another text may help. */
function againAfter({ connection, context }: Filing) {
  return async (fault: unknown): Promise<undefined> => {
    const failure = failureFor(fault, connection.name)
    if (!MAY_HELP.has(failure.exitCode)) throw failure
    context.output.complain(failure.message)
    const isAgain = await askYesOrNo('Edit it again?').catch(() => false)
    if (!isAgain) throw new CommandFailure('Nothing was filed.', failure.exitCode, failure.reason)
  }
}

/** Where another text may help. */
const MAY_HELP: ReadonlySet<ExitCode> = new Set([EXIT.refused, EXIT.wrongCommandLine, EXIT.notFound])

const EXPLANATION = [
  'Save and leave the editor to file the bug. A bug without a summary is not filed.',
  'The description begins after the empty line. Lines such as priority: High may be added above it, and of other fields: set url: …',
]

async function printFiled(answer: Awaited<ReturnType<typeof fileBug>>, { output }: Context, connection: Connection) {
  const proposed = proposalIn(answer)
  if (proposed !== undefined) return output.print(proposed.document, [proposed.line])
  const { id } = answer
  const ignored = 'ignored' in answer && Array.isArray(answer.ignored) ? answer.ignored.map(shownValue) : []
  const address = await connection.pageOf(id)
  await output.print({ id, url: address, ...(ignored.length > 0 && { ignored }) }, [
    output.isTerminal ? `Bug ${id} is filed: ${address}` : String(id),
  ])
  if (ignored.length > 0) output.complain(`Without effect: ${ignored.join(', ')}.`)
}
