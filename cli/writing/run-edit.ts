import { addressOf, type ParamsOf, RestError } from '../../client/index.ts'
import { bodyIn } from '../../client/rest-error.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT, type ExitCode } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'
import { KeptText } from '../input/kept-text.ts'
import type { FoundBug } from '../reading/found-bugs.ts'
import { changeText } from '../reading/run-show.ts'
import { shownValue } from '../reading/shown-value.ts'
import type { Connection } from '../servers/connection.ts'
import { type Line, styled } from '../text/styled-line.ts'
import { type FieldOptions, fieldsOf, itemsOf } from './field-options.ts'
import { proposalIn } from './proposal.ts'
import { givenText, type TextOptions } from './typed-text.ts'

export interface EditOptions extends FieldOptions, TextOptions {
  readonly private?: boolean
  readonly dupeOf?: string
  readonly unchangedSince?: string
  readonly dryRun?: boolean
}

interface Outcome {
  readonly document: object
  readonly lines: readonly Line[]
  readonly exitCode: ExitCode
}

const LIST_OPTIONS = [
  ['Cc', 'cc'],
  ['Keyword', 'keywords'],
  ['SeeAlso', 'see_also'],
  ['Group', 'groups'],
  ['DependsOn', 'depends_on'],
  ['Blocks', 'blocks'],
] as const

export async function runEdit(refs: readonly string[], options: EditOptions, context: Context) {
  const connection = context.connect()
  const text = await givenText(options, false)
  const change = { ...fieldsOf(options), ...listChanges(options), ...commentPart(text, options) }
  if (options.dupeOf !== undefined) Object.assign(change, { dupe_of: options.dupeOf })
  if (Object.keys(change).length === 0) throw wrongCommandLine('Name a change, such as --priority High.')
  if (options.dryRun && !(await connection.isLacewing()))
    throw new CommandFailure(`${connection.name} cannot try a change without making it.`, EXIT.notOnThisServer)
  const kept = text === undefined || options.dryRun ? undefined : new KeptText(context, 'comment', text)
  const outcomes: Outcome[] = []
  for (const ref of refs) outcomes.push(await outcomeOf(connection, ref, change, options))
  const worst = Math.max(...outcomes.map(({ exitCode }) => exitCode))
  await context.output.confirm(
    { bugs: outcomes.map(({ document }) => document) },
    outcomes.filter(({ exitCode }) => exitCode === EXIT.done).flatMap(({ lines }) => lines),
  )
  for (const { lines, exitCode } of outcomes)
    if (exitCode !== EXIT.done) for (const line of lines) context.output.complain(line)
  if (kept !== undefined && worst !== EXIT.done) context.output.complain(kept.whereItIs)
  else kept?.remove()
  process.exitCode = worst
}

function commentPart(text: string | undefined, { private: isPrivate = false }: EditOptions) {
  if (text === undefined && isPrivate) throw wrongCommandLine('--private is about a comment: add --message.')
  return text === undefined ? {} : { comment: { body: text, is_private: isPrivate } }
}

/** --add-… and --remove-… leave other items as they are. */
function listChanges(options: EditOptions): Record<string, object> {
  const changes = LIST_OPTIONS.flatMap(([option, field]) => {
    const [add, remove] = [options[`add${option}`], options[`remove${option}`]] as (string | undefined)[]
    if (add === undefined && remove === undefined) return []
    return [[field, { ...(add && { add: itemsOf(add) }), ...(remove && { remove: itemsOf(remove) }) }] as const]
  })
  return Object.fromEntries(changes)
}

/** A bug that cannot be changed does not keep the others from being changed. */
async function outcomeOf(connection: Connection, ref: string, change: object, options: EditOptions): Promise<Outcome> {
  try {
    const { bug, etag } = await readVersion(connection, ref)
    requireUnchanged(bug, options.unchangedSince)
    const headers: Record<string, string> = etag === null ? {} : { 'If-Match': etag }
    const tried = options.dryRun ? { dry_run: true } : {}
    const answer = await connection.client.put(
      '/bug/:ref',
      { ref, ...listsAsChanges(change), ...tried } as ParamsOf<'PUT /bug/:ref'>,
      { headers },
    )
    const proposed = proposalIn(answer)
    if (proposed !== undefined)
      return { document: { id: bug.id, ...proposed.document }, lines: [proposed.line], exitCode: EXIT.done }
    const changed = answer.bugs[0]
    const entries = Object.entries(changed?.changes ?? {})
    const title = options.dryRun ? 'would change' : entries.length > 0 ? 'is changed' : 'is as it was'
    return {
      document: { id: changed?.id ?? bug.id, changes: changed?.changes ?? {} },
      lines: [
        [styled('bold', `Bug ${shownValue(changed?.id ?? bug.id)}`), ` ${title}.`],
        ...entries.map(([field, it]) => `  ${changeText(field, shownValue(it.removed), shownValue(it.added))}`),
      ],
      exitCode: EXIT.done,
    }
  } catch (fault) {
    const collision = fault instanceof RestError && fault.status === 412
    const failure = failureFor(fault, connection.name)
    const message = collision ? await collisionSentence(connection, ref) : failure.message
    return {
      document: { ref, error: message, reason: failure.reason, exit_code: failure.exitCode },
      lines: [`Bug ${ref} is not changed: ${message}`],
      exitCode: failure.exitCode,
    }
  }
}

/** A list in --set replaces the whole list. */
function listsAsChanges(change: object): object {
  const entries = Object.entries(change).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'flags' ? { set: value } : value,
  ])
  return Object.fromEntries(entries)
}

/** The bug and its version, of one read: a change in between would be overwritten. */
async function readVersion({ client }: Connection, ref: string): Promise<{ bug: FoundBug; etag: string | null }> {
  const fields = 'id,last_change_time'
  const response = await client.send('GET', addressOf('/bug/:ref', { ref, include_fields: fields }))
  const { bugs } = bodyIn(response.status, await response.text()) as { bugs: readonly FoundBug[] }
  return { bug: bugs[0] ?? {}, etag: response.headers.get('ETag') }
}

function requireUnchanged({ last_change_time: last }: FoundBug, since: string | undefined) {
  if (since === undefined) return
  const [known, now] = [new Date(since).getTime(), new Date(shownValue(last)).getTime()]
  if (Number.isNaN(known)) throw wrongCommandLine(`--unchanged-since ${since} is not a time.`)
  if (now > known)
    throw new CommandFailure(`it was changed at ${shownValue(last)}, after ${since}.`, EXIT.changedMeanwhile)
}

async function collisionSentence({ client }: Connection, ref: string): Promise<string> {
  const { bugs } = await client.get('/bug/:ref/history', { ref })
  const last = bugs[0]?.history.at(-1)
  const what = last === undefined ? '' : ` (${last.who}: ${last.changes.map((it) => it.field_name).join(', ')})`
  return `somebody else changed it meanwhile${what}. Look at it, then give the command again.`
}
