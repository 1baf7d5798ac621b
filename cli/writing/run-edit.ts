import { addressOf, type ParamsOf, RestError } from '../../client/index.ts'
import { bodyIn } from '../../client/rest-error.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT, type ExitCode } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'
import { StrangeAnswer } from '../failures/strange-answer.ts'
import { removeIfKept, whileKept } from '../input/kept-text.ts'
import type { FoundBug } from '../reading/found-bugs.ts'
import { changeText } from '../reading/run-show.ts'
import { shownValue } from '../reading/shown-value.ts'
import type { Connection } from '../servers/connection.ts'
import { type Line, styled } from '../text/styled-line.ts'
import { changeFor, ignoredNames } from './bug-change.ts'
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
  const { output } = context
  const connection = context.connect()
  const typed = await givenText(context, options, { purpose: `edit-${refs[0]}` }, false)
  const outcomes = await whileKept(typed?.kept, connection.name, async () => {
    const change = changeIn(options, typed?.text)
    if (options.dryRun && !(await connection.isLacewing()))
      throw new CommandFailure(`${connection.name} cannot try a change without making it.`, EXIT.notOnThisServer)
    const all: Outcome[] = []
    for (const ref of refs) all.push(await outcomeOf(connection, ref, change, options))
    return all
  })
  const worst = Math.max(...outcomes.map(({ exitCode }) => exitCode))
  await output.confirm(
    { bugs: outcomes.map(({ document }) => document) },
    outcomes.filter(({ exitCode }) => exitCode === EXIT.done).flatMap(({ lines }) => lines),
  )
  for (const { lines, exitCode } of outcomes)
    if (exitCode !== EXIT.done) for (const line of lines) output.complain(line)
  if (worst !== EXIT.done && typed?.kept !== undefined) output.complain(typed.kept.whereItIs)
  else typed?.kept?.remove()
  if (worst === EXIT.done) removeIfKept(options.file, context)
  process.exitCode = worst
}

function changeIn(options: EditOptions, text: string | undefined): Record<string, unknown> {
  const { private: isPrivate = false, dupeOf } = options
  if (text === undefined && isPrivate) throw wrongCommandLine('--private is about a comment: add --message.')
  const fields = fieldsOf(options)
  // One more request of the same name is a flag of its own.
  const flags = fields.flags?.map((flag) => (flag.status === '?' ? { ...flag, new: true } : flag))
  const change = {
    ...fields,
    ...(flags && { flags }),
    ...listChanges(options),
    ...(text !== undefined && { comment: { body: text, is_private: isPrivate } }),
    ...(dupeOf !== undefined && { dupe_of: dupeOf }),
  }
  if (Object.keys(change).length === 0) throw wrongCommandLine('Name a change, such as --priority High.')
  return change
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
async function outcomeOf(
  connection: Connection,
  ref: string,
  change: Readonly<Record<string, unknown>>,
  options: EditOptions,
): Promise<Outcome> {
  try {
    const isLacewing = await connection.isLacewing()
    const { bug, etag } = await readVersion(connection, ref, isLacewing)
    requireUnchanged(bug, options.unchangedSince)
    const headers: Record<string, string> = etag === null ? {} : { 'If-Match': etag }
    const tried = options.dryRun ? { dry_run: true } : {}
    const sent = { ref, ...changeFor(change, bug, isLacewing), ...tried } as ParamsOf<'PUT /bug/:ref'>
    const answer = await connection.client.put('/bug/:ref', sent, { headers })
    const proposed = proposalIn(answer)
    if (proposed !== undefined)
      return { document: { id: bug.id, ...proposed.document }, lines: [proposed.line], exitCode: EXIT.done }
    const { id, changes } = answer.bugs[0] ?? {}
    if (typeof changes !== 'object') throw new StrangeAnswer('it does not say what was changed')
    const ignored = ignoredNames(answer, change, bug, isLacewing)
    return {
      document: { id: id ?? bug.id, changes, ...(ignored.length > 0 && { ignored }) },
      lines: changeLines(shownValue(id ?? bug.id), changes, ignored, options),
      exitCode: ignored.length > 0 ? EXIT.refused : EXIT.done,
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

type Changes = Readonly<Record<string, { removed?: unknown; added?: unknown }>>

function changeLines(id: string, changes: Changes, ignored: readonly string[], { dryRun }: EditOptions): Line[] {
  const entries = Object.entries(changes)
  const title = entries.length === 0 ? 'is as it was' : dryRun ? 'would change' : 'is changed'
  return [
    [styled('bold', `Bug ${id}`), ` ${title}${ignored.length > 0 ? `; it has no field ${ignored.join(', ')}` : ''}.`],
    ...entries.map(([field, it]) => `  ${changeText(field, shownValue(it.removed), shownValue(it.added))}`),
  ]
}

/** The bug and its version, of one read: a change in between would be overwritten. What a Bugzilla needs of it is not known before. */
async function readVersion(
  { client }: Connection,
  ref: string,
  isLacewing: boolean,
): Promise<{ bug: FoundBug; etag: string | null }> {
  const chosen = isLacewing ? { include_fields: 'id,last_change_time' } : {}
  const response = await client.send('GET', addressOf('/bug/:ref', { ref, ...chosen }))
  const { bugs } = bodyIn(response.status, await response.text()) as { bugs: readonly FoundBug[] }
  return { bug: bugs[0] ?? {}, etag: isLacewing ? response.headers.get('ETag') : null }
}

function requireUnchanged({ last_change_time: last }: FoundBug, since: string | undefined) {
  if (since === undefined) return
  const [known, now] = [new Date(since).getTime(), new Date(shownValue(last)).getTime()]
  if (Number.isNaN(known)) throw wrongCommandLine(`--unchanged-since ${since} is not a time.`)
  if (!(now <= known))
    throw new CommandFailure(`it was changed at ${shownValue(last)}, after ${since}.`, EXIT.changedMeanwhile)
}

async function collisionSentence({ client }: Connection, ref: string): Promise<string> {
  const { bugs } = await client.get('/bug/:ref/history', { ref }).catch(() => ({ bugs: [] }))
  const last = bugs[0]?.history.at(-1)
  const what = last === undefined ? '' : ` (${last.who}: ${last.changes.map((it) => it.field_name).join(', ')})`
  return `somebody else changed it meanwhile${what}. Look at it, then give the command again.`
}
