import { everyEvent, type ParamsOf, type TrackerEvent } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { foundBugs } from '../reading/found-bugs.ts'
import { changeText } from '../reading/run-show.ts'
import { type SearchOptions, searchParams } from '../reading/search-options.ts'
import { shownTime, shownValue } from '../reading/shown-value.ts'
import type { Connection } from '../servers/connection.ts'
import { jsonText, onOneLine } from '../text/clean-text.ts'
import { type Line, styled } from '../text/styled-line.ts'

export interface FollowOptions extends SearchOptions {
  readonly since?: string
  readonly events?: string
}

const MOST_BUGS = 10_000
const COMMENT_LENGTH = 300

/** Prints what happens to bugs, as it happens, until it is interrupted. */
export async function runFollow(words: readonly string[], options: FollowOptions, { output, connect }: Context) {
  const connection = connect()
  if (!(await connection.isLacewing()))
    throw new CommandFailure(`${connection.name} does not have a feed of events.`, EXIT.notOnThisServer)
  const wanted = numberOf(options.events)
  const isAll = words.length === 0 && !options.mine && typeof options.saved !== 'string' && options.param === undefined
  const bugs = isAll ? undefined : new FollowedBugs(connection, searchParams(words, options))
  await bugs?.load()
  const interrupted = new AbortController()
  const stop = () => interrupted.abort()
  process.once('SIGINT', stop)
  let printed = 0
  try {
    output.note('Following. Ctrl+C ends it.')
    for await (const event of everyEvent(connection.client, options.since, { signal: interrupted.signal })) {
      if (bugs !== undefined && !(await bugs.has(event.bug_id))) continue
      if (output.isJson) await output.write(`${jsonText(event, 0)}\n`)
      else await output.lines(await eventLines(connection, event))
      if (++printed >= wanted) return
    }
  } catch (fault) {
    if (!interrupted.signal.aborted) throw fault
    process.exitCode = EXIT.interrupted
  } finally {
    process.off('SIGINT', stop)
  }
}

function numberOf(events: string | undefined): number {
  if (events === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,8}$/.test(events)) throw wrongCommandLine('--events must be a whole number from 1 on.')
  return Number(events)
}

/** The bugs of a search. A bug that leaves it is shown once more: that it left may be what one waits for. */
class FollowedBugs {
  private readonly connection: Connection
  private readonly search: Readonly<Record<string, unknown>>
  private readonly known = new Set<number>()

  constructor(connection: Connection, search: Readonly<Record<string, unknown>>) {
    this.connection = connection
    this.search = search
  }

  async load() {
    for await (const { bugs } of foundBugs(this.connection, { ...this.search, include_fields: 'id' }, MOST_BUGS))
      for (const { id } of bugs) this.known.add(Number(id))
  }

  async has(bug: number): Promise<boolean> {
    const was = this.known.has(bug)
    const search = { ...this.search, id: bug, include_fields: 'id', limit: 1 } as ParamsOf<'GET /bug'>
    const isFound = ((await this.connection.client.get('/bug', search)).bugs ?? []).length > 0
    if (isFound) this.known.add(bug)
    else this.known.delete(bug)
    return was || isFound
  }
}

async function eventLines({ client }: Connection, event: TrackerEvent): Promise<Line[]> {
  const lines: Line[] = [
    [
      styled('muted', `${shownTime(event.time)} `),
      styled('cyan', `${event.bug_id} `),
      styled('bold', event.type),
      styled('muted', ` by ${shownValue(event.user)}`),
    ],
    ...(event.changes ?? []).map(
      (it): Line => `  ${changeText(it.field_name, shownValue(it.removed), shownValue(it.added))}`,
    ),
  ]
  if (event.type === 'bug.create') {
    const { bugs } = await client.get('/bug/:ref', { ref: event.bug_id, include_fields: 'summary' }).catch(() => NONE)
    lines.push(`  ${shownValue(bugs[0]?.summary)}`)
  } else if (event.comment_id !== undefined) {
    const { comments } = await client
      .get('/bug/comment/:comment_id', { comment_id: event.comment_id })
      .catch(() => NONE)
    const text = Object.values(comments)[0]?.text ?? ''
    lines.push(`  ${Array.from(onOneLine(text)).slice(0, COMMENT_LENGTH).join('')}`)
  }
  return lines
}

/** What was deleted or hidden since. */
const NONE = { bugs: [], comments: {} }
