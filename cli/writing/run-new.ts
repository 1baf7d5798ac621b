import type { ParamsOf } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { askYesOrNo, canAsk } from '../input/ask.ts'
import { editText, withExplanation, withoutExplanation } from '../input/editor.ts'
import { KeptText, sendKept } from '../input/kept-text.ts'
import type { Connection } from '../servers/connection.ts'
import { type BugForm, type FormField, formText, readForm } from './bug-form.ts'
import { type FieldOptions, fieldsOf, itemsOf } from './field-options.ts'
import { possibleDuplicates, showDuplicates } from './possible-duplicates.ts'
import { proposalIn } from './proposal.ts'
import { givenText, type TextOptions } from './typed-text.ts'

export interface NewOptions extends FieldOptions, TextOptions {
  readonly cc?: string
  readonly keywords?: string
  readonly edit?: boolean
  readonly unlessDuplicate?: boolean
  readonly yes?: boolean
}

const FORM: readonly FormField[] = [
  { label: 'Summary', name: 'summary' },
  { label: 'Product', name: 'product' },
  { label: 'Component', name: 'component' },
  { label: 'Version', name: 'version' },
]
const EXPLANATION = [
  'Save and leave the editor to file the bug. A bug without a summary is not filed.',
  'The description begins after the empty line.',
]

export async function runNew(options: NewOptions, context: Context) {
  const connection = context.connect()
  const fields = fieldsOf(options)
  for (const name of ['cc', 'keywords'] as const) if (options[name] !== undefined) fields[name] = itemsOf(options[name])
  const text = await givenText(options, options.file === '-')
  if (text !== undefined) fields.description = text
  const missing = ['summary', 'product', 'component'].filter((name) => !fields[name])
  const isEdited = options.edit === true || missing.length > 0 || (text === undefined && canAsk() && !options.yes)
  if (!isEdited) return fileBug(context, connection, fields, new KeptText(context, 'bug', asForm(fields)), options)
  if (!canAsk())
    throw wrongCommandLine(`There is no terminal for an editor: give ${missing.map((it) => `--${it}`).join(', ')}.`)
  await fileFromEditor(context, connection, fields, options)
}

function asForm(fields: Readonly<Record<string, unknown>>): string {
  const values = new Map(FORM.map(({ name }) => [name, String(fields[name] ?? '')]))
  return formText(FORM, values, String(fields.description ?? ''))
}

/** The editor again and again, until the bug is filed or given up. What was typed stays in the same file. */
async function fileFromEditor(
  context: Context,
  connection: Connection,
  fields: Record<string, unknown>,
  options: NewOptions,
) {
  const kept = new KeptText(context, 'bug', withExplanation(asForm(fields), EXPLANATION))
  for (;;) {
    const typed = await editText(context.environment, kept)
    const form = readForm(FORM, withoutExplanation(typed))
    kept.write(typed)
    if (isEmpty(form)) {
      kept.remove()
      throw new CommandFailure('The summary and the description are empty. Nothing was filed.')
    }
    try {
      requireWhole(form)
      const typedFields = Object.fromEntries([...form.fields].filter(([, value]) => value !== ''))
      return await fileBug(context, connection, { ...fields, ...typedFields, description: form.text }, kept, options)
    } catch (fault) {
      if (!(fault instanceof CommandFailure) || fault.exitCode > 4 || fault.exitCode === 3) throw fault
      context.output.complain(fault.message)
      const isAgain = await askYesOrNo('Edit it again?')
      if (!isAgain) throw new CommandFailure(`Nothing was filed. ${kept.whereItIs}`, fault.exitCode, fault.reason)
    }
  }
}

const isEmpty = ({ fields, text }: BugForm) => !fields.get('summary') && text === ''

function requireWhole({ fields, unknown }: BugForm) {
  if (unknown.length > 0)
    throw wrongCommandLine(
      `This line is no field, and no description because no empty line is before it: ${unknown[0]}`,
    )
  const missing = FORM.filter(({ name }) => name !== 'version' && !fields.get(name)).map(({ label }) => label)
  if (missing.length > 0) throw wrongCommandLine(`Missing: ${missing.join(', ')}.`)
}

async function fileBug(
  context: Context,
  connection: Connection,
  fields: Record<string, unknown>,
  kept: KeptText,
  options: NewOptions,
) {
  const { output } = context
  const { client, name } = connection
  const answer = await sendKept(kept, name, async () => {
    await requireNoDuplicate(context, connection, fields, options)
    // Bugzilla files a bug twice if the request is sent twice.
    const once = await connection.isLacewing()
    return client.post('/bug', (await complete(connection, fields, once)) as ParamsOf<'POST /bug'>, { once })
  })
  const proposed = proposalIn(answer)
  if (proposed !== undefined) return output.print(proposed.document, [proposed.line])
  const { id } = answer
  const address = await connection.pageOf(id)
  await output.print({ id, url: address }, [output.isTerminal ? `Bug ${id} is filed: ${address}` : String(id)])
}

/** Bugzilla wants values for these fields, and takes these unless its administrator has renamed them. */
async function complete({ client }: Connection, fields: Record<string, unknown>, isLacewing: boolean) {
  if (isLacewing) return fields
  const version = fields.version ?? (await firstVersion(client, String(fields.product)))
  return { op_sys: 'All', platform: 'All', ...fields, version }
}

async function firstVersion(client: Connection['client'], product: string): Promise<string | undefined> {
  const { products } = await client.get('/product', { names: [product], include_fields: 'versions' })
  const names = (products[0]?.versions ?? []).map(({ name }) => name)
  return names.includes('unspecified') ? 'unspecified' : names.at(-1)
}

async function requireNoDuplicate(
  { output }: Context,
  connection: Connection,
  fields: Record<string, unknown>,
  { unlessDuplicate, yes }: NewOptions,
) {
  const found = await possibleDuplicates(connection, String(fields.summary), String(fields.product))
  if (found === undefined) return output.note(`${connection.name} does not look for likely duplicates.`)
  showDuplicates(found, output)
  if (found.length === 0) return
  if (unlessDuplicate) throw new CommandFailure('Nothing was filed, because there are likely duplicates.')
  if (canAsk() && !yes && !(await askYesOrNo('File the bug anyway?'))) throw new CommandFailure('Nothing was filed.')
}
