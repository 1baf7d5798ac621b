import { Readable } from 'node:stream'
import type { CallContext } from '../../access/call.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { madeAsCurrentCaller } from '../../platform/queues/current-caller.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { selectionOf } from '../../platform/wire/field-selection.ts'
import { FileAnswer } from '../../platform/wire/http/answer.ts'
import { bugCalendar } from './bug-calendar.ts'
import { bugFeed } from './bug-feed.ts'
import { type Bug, type BugList, isForm, type ListHeading } from './bug-list.ts'
import { bugTable } from './bug-table.ts'
import { columnsFor } from './table-columns.ts'

/** Presents bugs, a few at a time. */
type Present = (context: CallContext, ids: readonly number[]) => AsyncIterable<readonly Bug[]>

/** The bugs in the requested format; undefined for JSON. A table has the columns of a saved search if no others are requested. */
export async function listBugs(
  context: CallContext,
  ids: readonly number[],
  present: Present,
  savedColumns: unknown,
): Promise<FileAnswer | undefined> {
  const { form } = context
  if (form === undefined || !isForm(form)) return undefined
  const list = await LISTS[form](context, savedColumns)
  const listContext = { ...context, select: selectionOf({ include_fields: list.fields.join() }) }
  return new FileAnswer({
    size: undefined,
    etag: '',
    headers: {
      'Content-Type': `${list.contentType}; charset=UTF-8`,
      // The browser saves the file, so that a page of another site cannot load it as a script.
      'Content-Disposition': `attachment; filename="${list.fileName}"`,
      'Cache-Control': 'private, no-cache',
    },
    open: async () =>
      Readable.from(madeAsCurrentCaller(written(list, present(listContext, ids))), { highWaterMark: 1 }),
  })
}

const LISTS = {
  csv: async ({ rawParams, select, catalogue }: CallContext, savedColumns: unknown) =>
    bugTable(columnsFor({ columnlist: savedColumns, ...rawParams }, { select, fields: await catalogue(keptFields) })),
  atom: async (context: CallContext) => bugFeed(headingOf(context)),
  ics: async (context: CallContext) => bugCalendar(headingOf(context)),
}

function headingOf({ rawParams, settings, baseUrl }: CallContext): ListHeading {
  const parameters = Object.entries(rawParams).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return {
    baseUrl: (settings.urlbase || baseUrl).replace(/\/+$/, ''),
    query: new URLSearchParams(parameters).toString(),
    now: timeNow(),
  }
}

async function* written(list: BugList, bugs: AsyncIterable<readonly Bug[]>) {
  yield list.head
  for await (const some of bugs) yield some.map((bug) => list.item(bug)).join('')
  yield list.foot
}
