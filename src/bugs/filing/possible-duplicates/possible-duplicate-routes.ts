import { call } from '../../../access/call.ts'
import { integer, text, texts } from '../../../platform/wire/params.ts'
import { presentedBugs } from '../../listing/search-bugs.ts'
import { Bugs } from '../../reading/bug-schema.ts'
import { findPossibleDuplicates, MOST_DUPLICATES } from './find-possible-duplicates.ts'

const getPossibleDuplicates = call({
  method: 'GET',
  path: '/bug/possible_duplicates',
  resource: 'possible_duplicates',
  summary: 'Find bugs that may be meant by a summary.',
  about: `Those with the most words in common come first. A bug that is a duplicate stands for the one that it duplicates.`,
  params: {
    summary: text('What a new bug would be called. It, or id, is needed.'),
    id: text('A bug, by number or alias: its summary is taken when none is given, and it is not among the answers.'),
    product: texts('Only bugs of these products, by name.'),
    limit: integer(`Most bugs that are answered; ${MOST_DUPLICATES} by default and at most.`),
  },
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const ids = await findPossibleDuplicates(context, context.params)
    const bugs: object[] = []
    for await (const some of presentedBugs(context, ids)) bugs.push(...some)
    return { bugs, faults: [] }
  },
})

export const possibleDuplicateRoutes = [getPossibleDuplicates]
