import { type ParamsOf, RestError } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { failureFor, orNotHere } from '../failures/rest-failures.ts'
import { canAsk } from '../input/ask.ts'
import { KeptText, sendKept, shellWord } from '../input/kept-text.ts'
import { readKey } from '../input/keys.ts'
import { objectsIn } from '../reading/objects-in.ts'
import { readWholeBug } from '../reading/read-bug.ts'
import { bugLines } from '../reading/run-show.ts'
import { shownValue } from '../reading/shown-value.ts'
import type { Connection } from '../servers/connection.ts'
import type { Line } from '../text/styled-line.ts'
import { rowOf, tableLines } from '../text/table.ts'
import { possibleDuplicates, showDuplicates } from '../writing/filing/possible-duplicates.ts'
import { proposalIn } from '../writing/proposal.ts'
import { DECISIONS, type Decision } from './triage-decisions.ts'

const WHAT = 'triage queues'

export async function runTriage(queue: string | undefined, context: Context) {
  const connection = context.connect()
  if (queue === undefined) return listQueues(connection, context.output)
  if (!canAsk() || !context.output.isTerminal || context.output.isJson)
    throw wrongCommandLine(
      `Triage needs a terminal. Scripts read a queue with: lacewing api GET ${shellWord(`/triage/${encodeURIComponent(queue)}`)}`,
    )
  await new TriageSession(queue, connection, context).run()
}

async function listQueues({ client, name }: Connection, output: Context['output']) {
  const { queues } = await orNotHere(client.get('/triage'), name, WHAT)
  const rows = (objectsIn(queues, 'queues') as typeof queues).map((it) => [
    it.name,
    shownValue(it.bug_count),
    it.group,
    shownValue(it.rotation),
  ])
  const table = () =>
    tableLines(
      ['queue', 'bugs', 'group', 'rotation'],
      rows.map((row) => row.map((text) => ({ text }))),
      output.width,
    )
  if (rows.length === 0) output.note('There are no triage queues.')
  await output.print({ queues }, output.isTerminal && rows.length > 0 ? table() : rows.map(rowOf))
}

const HELP = 'a accept · i ask the reporter · d duplicate · x decline · s snooze · n next · z undo · o address · q quit'
const COMMENTS = 4
/** A claim lasts 90 seconds. */
const RENEWED_AFTER_MILLISECONDS = 60_000

interface Made {
  readonly id: number
  readonly bug: number
  /** The values from before, if the bug was changed. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  /** The version of the bug after it. */
  readonly etag: string | null
}

/** One queue, one bug after the other. */
class TriageSession {
  private readonly queue: string
  private readonly connection: Connection
  private readonly context: Context
  private readonly skipped = new Set<number>()
  private readonly made: Made[] = []

  constructor(queue: string, connection: Connection, context: Context) {
    this.queue = queue
    this.connection = connection
    this.context = context
  }

  async run() {
    for (;;) {
      const next = await this.nextBug()
      const answer = next === undefined ? await this.atEnd() : await this.whileClaimed(next)
      if (answer === 'quit') return
    }
  }

  /** The last decision can be taken back too. */
  private async atEnd(): Promise<'next' | 'quit'> {
    const { output } = this.context
    const others = this.skipped.size === 0 ? '' : `, except ${this.skipped.size} that you have left out`
    output.note(`No bug waits in this queue${others}.`)
    while (this.made.length > 0) {
      await output.lines(['', 'z undo · q quit'])
      const key = await readKey()
      if (key === 'q' || key === 'quit' || key === 'escape') break
      if (key === 'z' && (await this.undo())) return 'next'
    }
    return 'quit'
  }

  /** Others see that the bug is open here, however long that takes. Triage works without claims. */
  private async whileClaimed(id: number): Promise<'next' | 'quit'> {
    const claim = () =>
      this.connection.client.put('/triage/:queue/claim', { queue: this.queue, bug: id }).catch(() => undefined)
    await claim()
    const timer = setInterval(() => void claim(), RENEWED_AFTER_MILLISECONDS)
    try {
      return await this.decideAbout(id)
    } finally {
      clearInterval(timer)
    }
  }

  /** The first one that nobody else has open. */
  private async nextBug(): Promise<number | undefined> {
    const { client, name } = this.connection
    const { queues } = await orNotHere(client.get('/triage/:queue', { queue: this.queue }), name, WHAT)
    const claimed = new Set(queues[0]?.claims.map(({ bug_id }) => bug_id))
    const waiting = (queues[0]?.bugs ?? []).filter((bug) => !this.skipped.has(bug) && !claimed.has(bug))
    return waiting[0]
  }

  private async decideAbout(id: number): Promise<'next' | 'quit'> {
    const { output } = this.context
    const etag = await versionOf(this.connection, id)
    const whole = await readWholeBug(this.connection, String(id), COMMENTS)
    await output.lines(['', ...bugLines(whole, false)])
    const { summary, product } = whole.bug
    const similar = await possibleDuplicates(this.connection, shownValue(summary), shownValue(product))
    showDuplicates(
      (similar ?? []).filter((bug) => bug.id !== id),
      output,
    )
    for (;;) {
      await output.lines(['', HELP])
      const key = await readKey()
      if (key === 'q' || key === 'quit' || key === 'escape') return 'quit'
      if (key === 'n') {
        this.skipped.add(id)
        return 'next'
      }
      if (key === 'o') await output.lines([await this.connection.pageOf(id)])
      if (key === 'z' && (await this.undo())) return 'next'
      const decide = DECISIONS.get(key)
      if (decide === undefined) continue
      const decision = await this.attempt(() => decide(this.connection, whole.bug))
      if (decision === undefined) continue
      // If it was refused, the bug is shown again as it is now.
      await this.make(id, whole.bug, decision, etag)
      return 'next'
    }
  }

  /** What fails is said, and the bug stays. */
  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (fault) {
      const failure = failureFor(fault, this.connection.name)
      if (failure.exitCode === EXIT.interrupted || failure.exitCode === EXIT.notSignedIn) throw failure
      this.context.output.complain(failure.message)
      return undefined
    }
  }

  private async make(id: number, bug: object, decision: Decision, etag: string | null) {
    const { kind, change = {}, until, text } = decision
    const kept =
      text === undefined
        ? undefined
        : new KeptText(this.context, { purpose: `triage-${id}`, again: `lacewing comment ${id} --file FILE` }, text)
    const { client } = this.connection
    const isChanging = Object.keys(change).length > 0
    const made = await this.attempt(async () => {
      const answer = await sendKept(kept, this.connection.name, () => putUnlessChanged(client, id, change, etag))
      const proposed = proposalIn(answer)
      if (proposed !== undefined) return this.leaveProposed(id, proposed.line)
      return client.post('/triage/:queue/decision', {
        queue: this.queue,
        bug: id,
        decision: kind,
        ...(until !== undefined && { until }),
      })
    })
    if (made === undefined) return
    const before = isChanging ? valuesBefore(bug, change) : undefined
    this.made.push({ id: made.id, bug: id, before, etag: await versionOf(this.connection, id) })
    this.context.output.note(`Bug ${id}: ${kind}.`)
  }

  /** The key may only propose, which a decision cannot be: the bug stays in the queue, and is not shown again. */
  private async leaveProposed(id: number, proposed: Line): Promise<undefined> {
    this.skipped.add(id)
    await this.context.output.lines([
      proposed,
      `Bug ${id} stays in the queue: this key may propose a change, but not decide in triage.`,
    ])
  }

  /** Takes back the last decision: the values from before, while nothing else has changed. A comment stays. */
  private async undo(): Promise<boolean> {
    const last = this.made.pop()
    if (last === undefined) {
      this.context.output.note('There is nothing to undo.')
      return false
    }
    const { client } = this.connection
    const isDone = await this.attempt(async () => {
      if (last.before !== undefined) await put(client, last.bug, last.before, last.etag)
      await client.delete('/triage/:queue/decision/:id', { queue: this.queue, id: last.id })
      return true
    })
    if (isDone) this.context.output.note(`Bug ${last.bug} is as it was before. A comment that was sent stays.`)
    return isDone === true
  }
}

/** The answer; undefined if there is nothing to change. */
async function putUnlessChanged(client: Connection['client'], ref: number, change: object, etag: string | null) {
  try {
    return Object.keys(change).length > 0 ? await put(client, ref, change, etag) : undefined
  } catch (fault) {
    if (fault instanceof RestError && fault.status === 412)
      throw new CommandFailure(`Somebody else has changed bug ${ref} meanwhile. It is shown as it is now.`)
    throw fault
  }
}

async function put(client: Connection['client'], ref: number, change: object, etag: string | null) {
  const headers: Record<string, string> = etag === null ? {} : { 'If-Match': etag }
  return client.put('/bug/:ref', { ref, ...change } as ParamsOf<'PUT /bug/:ref'>, { headers })
}

async function versionOf({ client }: Connection, id: number): Promise<string | null> {
  const response = await client.send('GET', `/rest/bug/${id}?include_fields=id`)
  return response.ok ? response.headers.get('ETag') : null
}

/** Of the fields that a decision changed. Comments and flags cannot be taken back. */
function valuesBefore(bug: object, change: object): Record<string, unknown> {
  const before = new Map(Object.entries(bug))
  const names = Object.keys(change).filter((name) => !['comment', 'flags', 'dupe_of'].includes(name))
  const values = Object.fromEntries(names.map((name) => [name, before.get(name)]))
  return 'dupe_of' in change ? { status: before.get('status'), resolution: before.get('resolution') } : values
}
