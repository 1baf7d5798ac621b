import { dictionary } from '../../platform/text/dictionary.ts'
import type { SearchContext } from '../search-context.ts'
import { criterionOf } from './parse-charts.ts'
import type { Criterion, Query } from './query.ts'
import { endOf } from './search-dates.ts'
import type { SearchParams } from './search-params.ts'

/** Users: `email1` is compared, with the operator in `emailtype1`, with each role that is set, such as `emailassigned_to1`. */
export function parseEmails(context: SearchContext, params: SearchParams): Query[] {
  const numbers = params.names.flatMap((name) => /^email(\d{1,9})$/.exec(name)?.[1] ?? [])
  return numbers.flatMap((number): Query[] => {
    const values = params.takeFilled(`email${number}`)
    const type = params.takeOne(`emailtype${number}`) || 'anyexact'
    const roles = Object.entries(ROLES).filter(([role]) =>
      /^(1|on|true)$/i.test(params.takeOne(`email${role}${number}`)),
    )
    const any = roles.flatMap(([, field]) => criterionOf(context, field, type, values, `email${number}`) ?? [])
    return any.length === 0 ? [] : [inRoles(any)]
  })
}

const ROLES: Readonly<Record<string, string>> = dictionary({
  assigned_to: 'assigned_to',
  reporter: 'reporter',
  qa_contact: 'qa_contact',
  cc: 'cc',
  longdesc: 'commenter',
})

/** With a negative operator, the user must have none of the roles. */
function inRoles(criteria: readonly Criterion[]): Query {
  const isDenying = /^no/.test(criteria[0]?.operator ?? '')
  return isDenying ? { all: criteria } : { any: criteria }
}

/** Changes of one of the fields, in a time and to a value. One change must meet all of these criteria. */
export function parseChanges(context: SearchContext, params: SearchParams): Query[] {
  const fields = params.takeFilled('chfield').flatMap((list) => list.split(',').map((name) => name.trim()))
  const [from, to] = ['chfieldfrom', 'chfieldto'].map((name) => bound(params.takeOne(name))) as [string, string]
  const value = params.takeOne('chfieldvalue')
  if (from === '' && to === '' && value === '') return []
  const until = endOf(to)
  const criterion = (field: string, operator: string, input: string, sentAs: string) =>
    criterionOf(context, field, operator, [input], sentAs) ?? []
  const changes = fields.map((name) => {
    const field = name === '[Bug creation]' ? 'creation_ts' : name
    return {
      sameItem: [
        criterion(field, 'changedafter', from, 'chfieldfrom'),
        criterion(field, 'changedbefore', until, 'chfieldto'),
        criterion(field, 'changedto', value, 'chfieldvalue'),
      ].flat(),
    }
  })
  const isOnlyAboutTime = fields.length === 0 && value === ''
  return [
    // A change of a field is a change of the bug, and the index of the last changes finds few bugs.
    criterion('delta_ts', 'greaterthaneq', from, 'chfieldfrom'),
    isOnlyAboutTime ? criterion('delta_ts', 'lessthaneq', until, 'chfieldto') : [],
    changes.length === 0 ? [] : [{ any: changes }],
  ].flat()
}

function bound(input: string) {
  return /^now$/i.test(input) ? '' : input
}

export function parseDeadlines(context: SearchContext, params: SearchParams): Query[] {
  return [
    criterionOf(context, 'deadline', 'greaterthaneq', params.takeFilled('deadlinefrom'), 'deadlinefrom') ?? [],
    criterionOf(context, 'deadline', 'lessthaneq', params.takeFilled('deadlineto'), 'deadlineto') ?? [],
  ].flat()
}
