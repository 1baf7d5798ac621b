import { call } from '../access/call.ts'
import { flag, refs } from '../platform/wire/params.ts'
import { Bugs } from './bug-schema.ts'
import { getBugs } from './get-bugs.ts'

const resource = 'bug'

const getBug = call({
  method: 'GET',
  path: '/bug/:ref',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource,
  summary: 'Get one bug, or several.',
  about: 'A bug that the caller may not see is refused with 102; so is the whole call, unless permissive is given.',
  params: {
    ids: refs('More bugs, by number or alias.'),
    permissive: flag('Bugs that are not there are told as faults, and the others answered.'),
  },
  answers: Bugs,
  selectsFields: true,
  scope: 'read',
  run: (asked) => getBugs(asked, [asked.path.ref ?? '', ...(asked.params.ids ?? [])], asked.params.permissive ?? false),
})

export const bugRoutes = [getBug]
