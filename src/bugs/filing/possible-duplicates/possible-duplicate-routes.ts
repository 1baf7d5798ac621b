import { call } from '../../../access/call.ts'
import { integer, text, texts } from '../../../platform/wire/params.ts'
import { presentedBugs } from '../../listing/search-bugs.ts'
import { Bugs } from '../../reading/bug-schema.ts'
import { findPossibleDuplicates, MOST_DUPLICATES } from './find-possible-duplicates.ts'

const getPossibleDuplicates = call({
  method: 'GET',
  path: '/bug/possible_duplicates',
  resource: 'possible_duplicates',
  summary: 'Find bugs with a similar summary.',
  about: `Bugs with the most words in common come first. A duplicate is replaced by the bug that it duplicates.`,
  params: {
    summary: text('Summary to compare with. Required unless id is given.'),
    id: text('Number or alias of a bug. Its summary is the default, and it is left out of the result.'),
    product: texts('Only bugs of these products, by name.'),
    limit: integer(`Largest number of bugs to return; ${MOST_DUPLICATES} by default and at most.`),
  },
  answers: Bugs,
  selectsFields: true,
  isSearch: true,
  scope: 'read',
  async run(context) {
    const ids = await findPossibleDuplicates(context, context.params)
    const bugs: object[] = []
    for await (const some of presentedBugs(context, ids)) bugs.push(...some)
    return { bugs, faults: [] }
  },
})

export const possibleDuplicateRoutes = [getPossibleDuplicates] as const
