import { RestError } from '../../../client/index.ts'
import type { Context } from '../../context.ts'
import type { FoundBug } from '../../reading/found-bugs.ts'
import { objectsIn } from '../../reading/objects-in.ts'
import { shownValue } from '../../reading/shown-value.ts'
import type { Connection } from '../../servers/connection.ts'
import { type Line, styled } from '../../text/styled-line.ts'

const MOST = 5

/** Bugs that may be meant by a summary; undefined if the server does not look for them. */
export async function possibleDuplicates(
  { client }: Connection,
  summary: string,
  product: string | undefined,
): Promise<readonly FoundBug[] | undefined> {
  try {
    const fields = 'id,summary,status,resolution'
    const chosen = product === undefined ? {} : { product }
    const params = { summary, ...chosen, limit: MOST, include_fields: fields } as const
    const { bugs } = await client.get('/bug/possible_duplicates', params)
    return objectsIn(bugs, 'bugs')
  } catch (fault) {
    // Bugzilla 5 takes the name of the call for an alias.
    if (fault instanceof RestError && fault.code !== 0 && fault.reason === undefined) return undefined
    throw fault
  }
}

/** Shows them on standard error, because the result of `new` is the new bug. */
export function showDuplicates(bugs: readonly FoundBug[], output: Context['output']) {
  if (bugs.length === 0) return
  output.note('These bugs may be the same:')
  for (const { id, status, resolution, summary } of bugs) {
    const line: Line = [
      styled('cyan', `  ${shownValue(id)}`),
      ` ${shownValue(summary)} `,
      styled('muted', `(${[status, resolution].map(shownValue).filter(Boolean).join(' ')})`),
    ]
    output.note(line)
  }
}
